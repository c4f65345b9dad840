import { CHOOSE } from './choose/choose';
import type { Screen } from './kit/screen';
import { MESSAGES } from './messages/messages';
import { OVERVIEW } from './overview/overview';

/** Every screen, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [...CHOOSE, ...OVERVIEW, ...MESSAGES];
