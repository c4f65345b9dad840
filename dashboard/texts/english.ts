import { EN as ADMIN_KEYS } from './admin-keys';
import { EN as BLOCKS } from './blocks';
import { EN as COINS } from './coins';
import { EN as DOMAINS } from './domains';
import { EN as CAMPAIGNS } from './campaigns';
import { EN as ME } from './me';
import { EN as JOURNEY_EDITOR } from './journey-editor';
import { EN as JOURNEYS } from './journeys';
import { EN as HEALTH } from './health';
import { EN as INSTALLATION } from './installation';
import { EN as AUDIENCES } from './audiences';
import { EN as CONVERSIONS } from './conversions';
import { EN as IMPORTS } from './imports';
import { EN as CONTACTS } from './contacts';
import { EN as IMAGES } from './images';
import { EN as MESSAGES } from './messages';
import { EN as OVERVIEW } from './overview';
import { EN as SETTINGS } from './settings';
import { EN as SUPPRESSIONS } from './suppressions';
import { EN as USERS } from './users';
import { EN as TEMPLATES } from './templates';
import { EN as WEBHOOKS } from './webhooks';
import { EN as WORDS } from './words';

/** The texts of the dashboard in English. One subject after the other; keys begin with their screen. */
export const ENGLISH = {
  appName: 'Kurir',
  sureTitle: 'Are you sure?',
  sureGeneric: 'This cannot be undone.',
  sureYes: 'Yes, continue',
  sureBack: 'Go back',
  surePassword: 'Your password again',
  skip: 'Skip to content',
  language: 'Language',
  signOut: 'Sign out',
  account: 'Your account',
  menu: 'Menu',
  save: 'Save',
  cancel: 'Cancel',
  search: 'Search',
  next: 'Next page',
  previous: 'Previous page',
  none: 'None',
  yes: 'yes',
  no: 'no',
  required: 'required',
  moreFilters: 'More filters',
  reset: 'Reset',
  all: 'All',
  more: 'More',
  back: 'Back',
  copy: 'Copy',
  downloadCsv: 'Download as CSV',
  actions: 'Actions',

  navOverview: 'Overview',
  navMessages: 'Messages',
  navCampaigns: 'Campaigns',
  navJourneys: 'Journeys',
  navContacts: 'Contacts',
  navAudiences: 'Audiences',
  navTemplates: 'Templates',
  navDomains: 'Domains',
  navWebhooks: 'Webhooks',
  navSuppressions: 'Suppressions',
  navConversions: 'Conversions',
  navCoins: 'Coins',
  navSettings: 'Settings',
  navHealth: 'Health',
  navWorkspaces: 'Workspaces',
  navQueues: 'Queues',
  navBounces: 'Bounces',
  navUsers: 'Users',
  navTrail: 'Trail',
  navInstallation: 'Installation',
  navInbox: 'Inbox',
  navHooks: 'Hooks',
  navDocs: 'API',

  errorTitle: 'That did not work',
  errorNotFound: 'There is no such page, or it is not for you.',
  errorForbidden: 'Your role does not allow this.',
  errorCsrf: 'The form was too old, or came from another site. Go back, reload the page and send it again.',
  errorTooLarge: 'That is too large. A file may have 10 MB at most.',
  errorServer: 'Something went wrong on our side. Nothing was half done. Try again.',
  errorBusy: 'The service cannot answer just now. Try again in a moment.',

  signInTitle: 'Sign in',
  signInEmail: 'Email address',
  signInPassword: 'Password',
  signInButton: 'Sign in',
  signInRefused: 'The address or the password is wrong.',
  signInWait: 'Too many attempts. Try again in {seconds} seconds.',
  signInForgot: 'No password, or forgotten? Ask whoever runs this service for a link: kurir user reset <address>',
  claimTitle: 'Welcome to Kurir',
  claimFirst: 'This link makes you the first operator of this installation. It works once.',
  claimInvite: 'You were invited as {email}.',
  claimReset: 'Choose a new password for {email}. Every session ends with the old one.',
  claimKnown: 'This invitation is for an account that exists: sign in with it to accept.',
  claimAccept: 'Accept',
  claimName: 'Your name',
  claimPassword: 'Password, at least 12 characters',
  claimRepeat: 'The password once more',
  claimDiffers: 'The passwords differ.',
  claimEmailFault: 'Give an email address.',
  claimButton: 'Go on',
  claimGone: 'This link has been used or has expired. Ask for a new one.',

  chooseTitle: 'Workspaces',
  chooseNone: 'You belong to no workspace yet. Ask whoever runs this service.',

  ...ME,
  ...USERS,
  ...OVERVIEW,
  ...MESSAGES,
  ...TEMPLATES,
  ...DOMAINS,
  ...WEBHOOKS,
  ...SUPPRESSIONS,
  ...COINS,
  ...SETTINGS,
  ...CAMPAIGNS,
  ...BLOCKS,
  ...IMAGES,
  ...JOURNEYS,
  ...HEALTH,
  ...INSTALLATION,
  ...CONTACTS,
  ...IMPORTS,
  ...JOURNEY_EDITOR,
  ...ADMIN_KEYS,
  ...AUDIENCES,
  ...CONVERSIONS,
  ...WORDS,
} as const satisfies Record<string, string>;
