import type { Command } from 'commander';
import { BounceRules } from '../domain/bounces/bounce-rules';
import type { BareVerbSpec, Commands, VerbSpec } from './support/command';
import { text, whole } from './support/input';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const explain: BareVerbSpec = {
  bare: true,
  name: 'explain',
  summary: 'read a refusal as the service does: its class, whether it is a hard bounce, the rule that decided',
  args: [['<text>', 'the refusal: codes and words of the server']],
  dashes: true,
  examples: [
    ['bounce explain "550 5.1.1 User unknown"', 'class address_unknown, hard'],
    ['bounce explain "552 5.2.2 Over quota" --json', '{"class":"mailbox_full","hard":false,"rule":"full"}'],
  ],
  notes: "The rules of the file at KURIR_BOUNCE_RULES are tried before Kurir's own.",
  run: (input) => {
    const refusal = input.arg('text', text(100_000));
    return async ({ host, paint }) => {
      const found = new BounceRules(host.config().bounceRules).classify(refusal);
      return {
        text: fields(paint, [
          ['class', found.class],
          ['hard', found.hard ? 'yes' : 'no'],
          ['rule', found.rule ?? 'none'],
        ]),
        json: { class: found.class, hard: found.hard, rule: found.rule },
      };
    };
  },
};

const unknown: VerbSpec = {
  name: 'unknown',
  summary: 'reports and refusals that no rule understood in the last 30 days, without addresses; newest first',
  options: [['--limit <n>', 'texts at most, 1 to 1000; default: 50']],
  examples: [
    ['bounce unknown', 'the newest 50'],
    ['bounce unknown --json', 'with their whole texts'],
  ],
  notes: 'Texts that differ only in their figures are one. Write a rule for those that come often: docs/bounces.md.',
  run: (input) => {
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    return async ({ stores, paint }) => {
      const found = await stores.bounces.unread(limit);
      return {
        text: table(
          paint,
          [{ title: 'count' }, { title: 'first' }, { title: 'last' }, { title: 'text', max: 120 }],
          found.map(({ count, firstAt, lastAt, text: said }) => [count, showTime(firstAt), showTime(lastAt), said]),
          'Everything was understood.',
        ),
        json: {
          data: found.map(({ id, count, firstAt, lastAt, text: said }) => ({
            id,
            count,
            first_at: jsonTime(firstAt),
            last_at: jsonTime(lastAt),
            text: said,
          })),
        },
      };
    };
  },
};

const list: VerbSpec = {
  ...unknown,
  name: 'list',
  options: [['--unread', 'those that were not understood; nothing else is listed yet'], ...(unknown.options ?? [])],
  examples: [
    ['bounce list --unread', 'the newest 50, reports that were cut among them'],
    ['bounce list --unread --json', 'with their whole texts'],
  ],
  notes: 'The same as kurir bounce unknown. Mail of people to bounce addresses is kept here too.',
};

/** The `kurir bounce` commands. */
export const bounceCommand = (commands: Commands): Command =>
  commands.group('bounce', 'how refusals are read, and what was not understood', [explain, unknown, list]);
