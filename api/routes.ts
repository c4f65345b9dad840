import { account } from './endpoints/account';
import { audiences } from './endpoints/audiences';
import { campaigns } from './endpoints/campaigns';
import { contacts } from './endpoints/contacts';
import { conversions } from './endpoints/conversions';
import { deliveries } from './endpoints/deliveries';
import { domains } from './endpoints/domains';
import { events } from './endpoints/events';
import { journeys } from './endpoints/journeys';
import { messages } from './endpoints/messages';
import { sending } from './endpoints/send-messages';
import { suppressions } from './endpoints/suppressions';
import { templates } from './endpoints/templates';
import { webhooks } from './endpoints/webhooks';
import type { Route } from './route';

/** Every endpoint of the API, in contract order; if two match a path, the first is used. */
export const routes: readonly Route[] = [
  ...account,
  ...domains,
  ...sending,
  ...messages,
  ...suppressions,
  ...templates,
  ...campaigns,
  ...journeys,
  ...conversions,
  ...contacts,
  ...audiences,
  ...webhooks,
  ...deliveries,
  ...events,
];
