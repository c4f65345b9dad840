import type { Command } from 'commander';
import { nextWibMidnight, wibDay } from '../domain/wib';
import type { Commands, Session, VerbSpec } from './support/command';
import { whole } from './support/input';
import type { Answer } from './support/output';
import { fields } from './support/table';
import { jsonTime, showTime } from './support/times';

async function show({ stores, clock, paint }: Session): Promise<Answer> {
  const cap = ((await stores.settings.get('warmup_cap')) ?? null) as number | null;
  const now = clock.now();
  const day = wibDay(now);
  const used = await stores.queue.claimsOn(day, null);
  const resets = nextWibMidnight(now);
  return {
    text: fields(paint, [
      ['cap', cap === null ? 'off' : `${cap} per WIB day`],
      ['sent this WIB day', `${used} (${day})`],
      ['left', cap === null ? null : Math.max(0, cap - used)],
      ['next day begins', showTime(resets)],
    ]),
    json: { cap, day, used, left: cap === null ? null : Math.max(0, cap - used), resets_at: jsonTime(resets) },
  };
}

const setting =
  (cap: number | null) =>
  async (session: Session): Promise<Answer> => {
    await session.note('warmup cap', cap === null ? 'off' : String(cap), null);
    await session.stores.settings.set('warmup_cap', cap);
    return show(session);
  };

const capVerb: VerbSpec = {
  name: 'cap',
  summary: 'set the most emails the whole platform sends per WIB day; the excess goes out the next day',
  args: [['<n>', 'whole number from 0, or off']],
  examples: [
    ['warmup cap 500', '500 a day'],
    ['warmup cap off', 'no cap'],
  ],
  run: (input) =>
    setting(
      input.arg('n', (raw) => {
        if (raw.trim() === 'off') return null;
        try {
          return whole(0, 1_000_000_000)(raw);
        } catch {
          throw new RangeError('must be a whole number from 0 to 1000000000, or off');
        }
      }),
    ),
};

const off: VerbSpec = {
  name: 'off',
  summary: 'remove the cap',
  examples: [['warmup off', 'no cap']],
  run: () => setting(null),
};

const showVerb: VerbSpec = {
  name: 'show',
  summary: 'the cap and how much of it is used',
  examples: [['warmup show', 'cap, used, left']],
  run: () => show,
};

/** The `kurir warmup` commands. */
export const warmupCommand = (commands: Commands): Command =>
  commands.group('warmup', "the platform's daily cap while its addresses are new", [capVerb, off, showVerb]);
