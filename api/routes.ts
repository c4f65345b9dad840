import { showAccount } from './endpoints/account/show-account';
import { addMember } from './endpoints/audiences/add-member';
import { createAudience } from './endpoints/audiences/create-audience';
import { listAudiences } from './endpoints/audiences/list-audiences';
import { listMembers } from './endpoints/audiences/list-members';
import { removeMember } from './endpoints/audiences/remove-member';
import { showAudience } from './endpoints/audiences/show-audience';
import { listCampaigns } from './endpoints/campaigns/list-campaigns';
import { reportConversion } from './endpoints/conversions/report-conversion';
import { listDomains } from './endpoints/domains/list-domains';
import { enrolContact } from './endpoints/journeys/enrol-contact';
import { listJourneys } from './endpoints/journeys/list-journeys';
import { listMessages } from './endpoints/messages/list-messages';
import { sendMessage } from './endpoints/messages/send-message';
import { showMessage } from './endpoints/messages/show-message';
import { checkSuppression } from './endpoints/suppressions/check-suppression';
import type { Route } from './route';

/** Every endpoint of the API, in the order of the spec. */
export const routes: readonly Route[] = [
  showAccount,
  listDomains,
  sendMessage,
  showMessage,
  listMessages,
  checkSuppression,
  listCampaigns,
  listJourneys,
  enrolContact,
  reportConversion,
  listAudiences,
  createAudience,
  showAudience,
  listMembers,
  addMember,
  removeMember,
];
