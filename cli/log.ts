import type { Command } from 'commander';
import type { Commands } from './support/command';
import { whole } from './support/input';
import { table } from './support/table';
import { jsonTime, showTime } from './support/times';

/** `kurir log`: what operators did, including each view of a secret. */
export const logCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'log',
    summary: 'what operators did with this command line, views of secrets included; newest first',
    options: [
      ['--limit <n>', 'entries at most, 1 to 1000; default: 50'],
      ['--before <id>', 'only entries before this one: the next page'],
    ],
    examples: [
      ['log', 'the last 50 entries'],
      ['log --before 120 --json', 'the page before, as JSON'],
    ],
    run: (input) => {
      const limit = input.option('limit', whole(1, 1_000)) ?? 50;
      const before = input.option('before', whole(1, Number.MAX_SAFE_INTEGER));
      return async ({ stores, paint }) => {
        const acts = await stores.operatorLog.list(limit, before);
        return {
          text: table(
            paint,
            [
              { title: 'id' },
              { title: 'time' },
              { title: 'who' },
              { title: 'did' },
              { title: 'workspace' },
              { title: 'what', max: 80 },
            ],
            acts.map(({ id, at, actor, action, workspaceId, target }) => [
              id,
              showTime(at),
              actor,
              action,
              workspaceId === null ? null : String(workspaceId),
              target,
            ]),
            'No entries yet.',
          ),
          json: {
            data: acts.map(({ id, at, actor, action, workspaceId, target }) => ({
              id,
              at: jsonTime(at),
              actor,
              action,
              workspace_id: workspaceId,
              target,
            })),
            next_before: acts.length === limit ? (acts.at(-1)?.id ?? null) : null,
          },
        };
      };
    },
  });
