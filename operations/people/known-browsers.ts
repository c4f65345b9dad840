import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { DAY } from '../../lib/clock';
import { randomText } from '../../lib/random-text';

/** How long a browser counts as known after a sign-in, ms. */
const KNOWN_FOR = 90 * DAY;
/** Accounts that a browser is known to, at most: the last that signed in. */
const MAX = 5;
const FORM = /^([A-Za-z0-9]{22})\.([0-9a-z]{1,11})\.([\w-]{22})$/;

interface BrowserDeps {
  clock: Clock;
  keyring: Keyring;
}

/** An account, as it is now: once everything of it has ended, no browser is known to it. */
interface Account {
  email: string;
  epoch: number;
}

/**
 * The id of a browser that has signed in to this account; null if it has not, or too long ago. `kept`: its cookie, an
 * entry an account: `<id>.<time>.<seal>`, joined by `~`. No address is in it.
 */
export function browserOf(deps: BrowserDeps, account: Account, kept: string | undefined): string | null {
  const entry = entriesOf(kept).find((one) => isSealed(deps, account, one));
  return entry ? entry.split('.')[0]! : null;
}

/** What the browser keeps from now on: this account anew, and the others that it has. */
export function withBrowser(deps: BrowserDeps, account: Account, kept: string | undefined): string {
  const others = entriesOf(kept).filter((one) => !isSealed(deps, account, one));
  const text = `${randomText(22)}.${deps.clock.now().toString(36)}`;
  return [`${text}.${sealOf(deps, account, text)}`, ...others].slice(0, MAX).join('~');
}

const entriesOf = (kept = ''): string[] => kept.split('~', MAX).filter((one) => FORM.test(one));

function isSealed(deps: BrowserDeps, account: Account, entry: string): boolean {
  const [, id = '', time = '', seal = ''] = FORM.exec(entry) ?? [];
  const age = deps.clock.now() - parseInt(time, 36);
  const expected = Buffer.from(sealOf(deps, account, `${id}.${time}`));
  return age >= 0 && age < KNOWN_FOR && timingSafeEqual(Buffer.from(seal), expected);
}

const sealOf = ({ keyring }: BrowserDeps, { email, epoch }: Account, text: string): string =>
  keyring.sealBrowser(`${text} ${epoch} ${email}`);
