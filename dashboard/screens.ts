import { CAMPAIGNS } from './campaigns/campaigns';
import { CHOOSE } from './choose/choose';
import { COINS } from './coins/coins';
import { JOURNEYS } from './journeys/journeys';
import type { Screen } from './kit/screen';
import { OWN_ACCOUNT } from './me/me';
import { MESSAGES } from './messages/messages';
import { OVERVIEW } from './overview/overview';
import { SUPPRESSIONS } from './suppressions/suppressions';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  ...CHOOSE,
  ...OWN_ACCOUNT,
  ...OVERVIEW,
  ...MESSAGES,
  ...CAMPAIGNS,
  ...JOURNEYS,
  ...SUPPRESSIONS,
  ...COINS,
];
