import { ADMIN_KEYS } from './admin-keys/admin-keys';
import { AUDIENCES } from './audiences/audiences';
import { BOUNCES } from './bounces/bounces';
import { CAMPAIGNS } from './campaigns/campaigns';
import { CHOOSE } from './choose/choose';
import { COINS_SCREENS } from './coins/coins';
import { CONVERSIONS } from './conversions/conversions';
import { JOURNEYS } from './journeys/journeys';
import { HEALTH_SCREENS } from './health/health';
import { DOMAINS } from './domains/domains';
import { CONTACTS } from './contacts/contacts';
import { IMAGES } from './images/images';
import type { Screen } from './kit/screen';
import { OWN_ACCOUNT } from './me/me';
import { MEMBERS } from './members/members';
import { MESSAGES } from './messages/messages';
import { OVERVIEW } from './overview/overview';
import { QUEUES } from './queues/queues';
import { SETTINGS } from './settings/settings';
import { SUPPRESSIONS } from './suppressions/suppressions';
import { TEMPLATES } from './templates/templates';
import { TRAIL } from './trail/trail';
import { USERS_SCREENS } from './users/users';
import { WORKSPACES } from './workspaces/workspaces';
import { WEBHOOKS } from './webhooks/webhooks';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  ...CHOOSE,
  ...OWN_ACCOUNT,
  ...OVERVIEW,
  ...MESSAGES,
  ...CAMPAIGNS,
  ...IMAGES,
  ...JOURNEYS,
  ...CONTACTS,
  ...AUDIENCES,
  ...TEMPLATES,
  ...DOMAINS,
  ...WEBHOOKS,
  ...SUPPRESSIONS,
  ...CONVERSIONS,
  ...COINS_SCREENS,
  ...SETTINGS,
  ...MEMBERS,
  ...HEALTH_SCREENS,
  ...WORKSPACES,
  ...QUEUES,
  ...BOUNCES,
  ...ADMIN_KEYS,
  ...USERS_SCREENS,
  ...TRAIL,
];
