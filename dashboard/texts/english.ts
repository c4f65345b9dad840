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
  /** For times, numbers and amounts. */
  locale: 'en-GB',
  sureTitle: 'Are you sure?',
  sureGeneric: 'This cannot be undone.',
  sureYes: 'Continue',
  sureBack: 'Go back',
  surePassword: 'Confirm your password',
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
  downloadCsv: 'Export CSV',
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
  navConversions: 'Sales',
  navCoins: 'Coins',
  navSettings: 'Settings',
  navHealth: 'Health',
  navWorkspaces: 'Workspaces',
  navQueues: 'Queues',
  navBounces: 'Bounces',
  navUsers: 'Users',
  navTrail: 'Audit log',
  navInstallation: 'Installation',
  navInbox: 'Inbox',
  navHooks: 'Webhook inbox',
  navDocs: 'API reference',

  errorTitle: 'Something went wrong',
  errorNotFound: 'This page does not exist, or you do not have access to it.',
  errorForbidden: 'Your role does not allow this. Ask an administrator or the owner of the workspace for access.',
  errorCsrf: 'This form has expired. Go back, reload the page and try again.',
  errorTooLarge: 'This upload is too large. Choose a smaller file or shorten the content.',
  errorServer: 'Something went wrong on our side. If you were saving a change, check it before you try again.',
  errorBusy: 'The service is temporarily unavailable. Try again in a moment.',

  signInTitle: 'Sign in',
  signInEmail: 'Email address',
  signInPassword: 'Password',
  signInButton: 'Sign in',
  signInRefused: 'Incorrect email address or password.',
  signInWait: 'Too many attempts. Try again in {seconds|# second|# seconds}.',
  signInForgot: 'Forgot your password? Ask your administrator for a reset link.',
  claimTitle: 'Welcome to Kurir',
  claimFirst: 'Create the administrator account. This link can be used once.',
  claimInvite: 'You have been invited as {email}.',
  claimReset: 'Choose a new password for {email}. You will be signed out everywhere.',
  claimKnown: 'You already have an account. Sign in to accept the invitation.',
  claimAccept: 'Accept invitation',
  claimName: 'Your name',
  claimPassword: 'Password (at least 12 characters)',
  claimRepeat: 'Confirm password',
  claimDiffers: 'The passwords do not match.',
  claimEmailFault: 'Enter an email address.',
  claimButton: 'Continue',
  claimGone: 'This link has expired or was already used. Ask for a new one.',

  chooseTitle: 'Workspaces',
  chooseNone: 'You are not a member of any workspace yet. Ask your administrator to add you.',

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
