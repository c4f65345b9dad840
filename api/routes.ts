import { addMember } from './endpoints/audiences/add-member';
import { createAudience } from './endpoints/audiences/create-audience';
import { listAudiences } from './endpoints/audiences/list-audiences';
import { listMembers } from './endpoints/audiences/list-members';
import { removeMember } from './endpoints/audiences/remove-member';
import { showAudience } from './endpoints/audiences/show-audience';
import { listCampaigns } from './endpoints/campaigns/list-campaigns';
import { cancelCampaign, pauseCampaign, resumeCampaign } from './endpoints/campaigns/move-campaign';
import { sendCampaign } from './endpoints/campaigns/send-campaign';
import { showCampaign } from './endpoints/campaigns/show-campaign';
import { createContact } from './endpoints/contacts/create-contact';
import { deleteContact } from './endpoints/contacts/delete-contact';
import { listContacts } from './endpoints/contacts/list-contacts';
import { renameContact } from './endpoints/contacts/rename-contact';
import { showContact } from './endpoints/contacts/show-contact';
import { unsubscribeContact } from './endpoints/contacts/unsubscribe-contact';
import { listConversions } from './endpoints/conversions/list-conversions';
import { reportConversion } from './endpoints/conversions/report-conversion';
import { showConversion } from './endpoints/conversions/show-conversion';
import { listEngagement } from './endpoints/contacts/list-engagement';
import { enrollContact } from './endpoints/journeys/enroll-contact';
import { listJourneys } from './endpoints/journeys/list-journeys';
import { cancelMessage } from './endpoints/messages/cancel-message';
import { listMessages } from './endpoints/messages/list-messages';
import { sendBatch } from './endpoints/messages/send-batch';
import { sendMessage } from './endpoints/messages/send-message';
import { showMessage } from './endpoints/messages/show-message';
import { deliveries } from './endpoints/deliveries';
import { events } from './endpoints/events';
import { webhooks } from './endpoints/webhooks';
import { account } from './endpoints/account';
import { domains } from './endpoints/domains';
import { suppressions } from './endpoints/suppressions';
import { templates } from './endpoints/templates';
import type { Route } from './route';

/** Every endpoint of the API, in contract order; if two match a path, the first is used. */
export const routes: readonly Route[] = [
  ...account,
  ...domains,
  sendMessage,
  sendBatch,
  showMessage,
  cancelMessage,
  listMessages,
  ...suppressions,
  ...templates,
  listCampaigns,
  showCampaign,
  sendCampaign,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
  listJourneys,
  enrollContact,
  reportConversion,
  listConversions,
  showConversion,
  listContacts,
  createContact,
  deleteContact,
  listEngagement,
  showContact,
  renameContact,
  unsubscribeContact,
  listAudiences,
  createAudience,
  showAudience,
  listMembers,
  addMember,
  removeMember,
  ...webhooks,
  ...deliveries,
  ...events,
];
