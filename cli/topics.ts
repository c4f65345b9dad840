import type { Command } from 'commander';
import { makeTopics, moveToTopics, viewTopics } from '../app/operator/installation';
import type { TopicView } from '../app/operator/installation-views';
import { withOperator, type BareVerbSpec, type Commands } from './support/command';
import type { Paint } from './support/paint';
import { table } from './support/table';

const show = (paint: Paint, topics: readonly TopicView[]): string =>
  [
    table(
      paint,
      [
        { title: 'topic' },
        { title: 'partitions' },
        { title: 'group' },
        { title: 'lag' },
        { title: 'lag by partition' },
      ],
      topics.flatMap(({ name, partitions, groups }) =>
        (groups.length === 0 ? [null] : groups).map((group) => [
          name,
          partitions.length,
          group?.group ?? null,
          group?.lag ?? null,
          group?.partitions.map(({ partition, lag }) => `${partition}:${lag}`).join(' ') ?? null,
        ]),
      ),
      '',
    ),
    ...topics.flatMap(({ marker }) =>
      marker ? [`The topics belong to the installation ${marker.installation}, database ${marker.database}.\n`] : [],
    ),
    ...topics.flatMap(({ differences }) => differences.map((text) => `${paint('bad', text)}\n`)),
  ].join('');

const list: BareVerbSpec = {
  name: 'list',
  summary: 'compare the topics of the event log with what they should be, and show the lag of each group by partition',
  examples: [
    ['topics list', 'exit code 1 when a topic is missing or differs'],
    ['topics list --json', 'for a monitor'],
  ],
  bare: true,
  run:
    () =>
    async ({ host, paint }) => {
      const config = host.config();
      const lag: TopicLog['lag'] = (group, topic) => withOperator(host, ({ log }) => log.lag(group, topic));
      const topics = await viewTopics(config, async () => ({ lag }));
      const ok = topics.every(({ differences }) => differences.length === 0);
      return { text: show(paint, topics), json: { ok, data: topics }, code: ok ? 0 : 1 };
    },
};
type TopicLog = Awaited<ReturnType<Parameters<typeof viewTopics>[1]>>;

const create: BareVerbSpec = {
  name: 'create',
  summary: 'create missing topics, as every start does; refuses when one differs',
  examples: [['topics create', 'before the first start, with an account that may']],
  bare: true,
  run:
    () =>
    async ({ host }) => {
      const created = await makeTopics(host.config());
      return {
        text: created.length === 0 ? 'No topics were missing.\n' : `Created ${created.join(', ')}.\n`,
        json: { created },
      };
    },
};

const move: BareVerbSpec = {
  name: 'move',
  summary:
    'bind the installation to the topics of KURIR_KAFKA_PREFIX, once its processes have ended and have read everything',
  examples: [['topics move', 'with the new KURIR_KAFKA_PREFIX, between a stop and a start']],
  notes:
    'A database belongs to the prefix of its first start. Nothing is copied: what waits is in the database, and the next start makes the new topics.',
  bare: true,
  run:
    () =>
    async ({ host }) => {
      const moved = await moveToTopics(host.config());
      const text = moved
        ? `Moved from the topics with the prefix ${moved.from} to those with ${moved.to}. Start every process with it; the old topics may be deleted then.\n`
        : 'Nothing to move: the installation uses the topics of KURIR_KAFKA_PREFIX.\n';
      return { text, json: { moved: moved !== null, from: moved?.from ?? null, to: moved?.to ?? null } };
    },
};

/** `kurir topics`: the topics of the event log. */
export const topicsCommand = (commands: Commands): Command =>
  commands.group('topics', 'topics of the event log: check them, create missing ones, see the lag', [
    list,
    create,
    move,
  ]);
