import { filled, type Texts } from '../texts/texts';

/** How long to wait until the next attempt. */
export const waitText = (t: Texts, ms: number): string => filled(t.signInWait, { seconds: Math.ceil(ms / 1_000) });
