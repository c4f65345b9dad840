import { embeddedTopics } from '../operations/installation/topics';
import type { TopicView } from '../operations/installation/installation-views';
import { withOperator } from './support/build';
import { clusterOf } from './support/cluster';
import { bareCommand, type CliCommand } from './support/command';
import { argument, oneOf, option, whole, type View } from '../operations/definition';
import { MAX_PARTITIONS } from '../streams/partitions';
import { TOPIC_NAMES } from '../streams/topics';

function topicsText({ data }: { ok: boolean; data: readonly TopicView[] }, view: View): string {
  const rows = data.flatMap(({ name, partitions, groups }) =>
    (groups.length === 0 ? [null] : groups).map((group) => ({ name, partitions, group })),
  );
  const columns = view.table(rows, {
    topic: 'name',
    partitions: ({ partitions }) => partitions.length,
    group: ({ group }) => group?.group ?? null,
    lag: ({ group }) => group?.lag ?? null,
    'lag by partition': ({ group }) =>
      group?.partitions.map(({ partition, lag }) => `${partition}:${lag}`).join(' ') ?? null,
  });
  const owners = data.flatMap(({ marker }) => marker ?? []);
  return [
    columns,
    ...owners.map((of) => `The topics belong to the installation ${of.installation}, database ${of.database}.\n`),
    ...data.flatMap(({ differences }) => differences.map((text) => `${view.paint('bad', text)}\n`)),
  ].join('');
}

const list = bareCommand('topics.list', {
  summary: 'compare the topics of the event log with the expected ones, and show consumer lag by partition',
  examples: [
    ['topics list', 'exit code 1 if a topic is missing or differs'],
    ['topics list --json', 'for a monitor'],
  ],
  handler: async (_, { host }) => {
    const cluster = await clusterOf(host);
    const data = cluster ? await cluster.topics() : await withOperator(host, ({ log }) => embeddedTopics(log));
    return { ok: data.every(({ differences }) => differences.length === 0), data };
  },
  code: ({ ok }) => (ok ? 0 : 1),
  text: topicsText,
});

const create = bareCommand('topics.create', {
  summary: 'create missing topics, as every start does; fails if one differs',
  examples: [['topics create', 'before the first start, with a privileged account']],
  handler: async (_, { host }) => ({ created: (await (await clusterOf(host))?.makeTopics()) ?? [] }),
  text: ({ created }) => (created.length === 0 ? 'No topics were missing.\n' : `Created ${created.join(', ')}.\n`),
});

const move = bareCommand('topics.move', {
  summary:
    'bind the installation to the topics of KURIR_KAFKA_PREFIX; its processes must be stopped and have read everything',
  examples: [['topics move', 'with the new KURIR_KAFKA_PREFIX, while the service is stopped']],
  notes:
    'A database belongs to the prefix of its first start. Nothing is copied: queued messages are in the database, and the next start creates the new topics.',
  handler: async (_, { host }) => {
    const moved = (await (await clusterOf(host))?.moveTopics()) ?? null;
    return { moved: moved !== null, from: moved?.from ?? null, to: moved?.to ?? null };
  },
  text: ({ moved, from, to }) =>
    moved
      ? `Moved from the topics with the prefix ${from} to those with ${to}. Start every process with the new prefix; after that you can delete the old topics.\n`
      : 'Nothing to move: the installation already uses the topics of KURIR_KAFKA_PREFIX.\n',
});

const grow = bareCommand('topics.grow', {
  summary: 'add partitions to topics while the service runs',
  arguments: { partitions: argument('the new number of partitions of each topic', whole(2, MAX_PARTITIONS)) },
  options: { topic: option('<topic>', 'only this topic; default: all of them', oneOf(...TOPIC_NAMES)) },
  examples: [
    ['topics grow 32', 'all topics'],
    ['topics grow 24 --topic messages.dispatch', 'for more dispatch processes'],
  ],
  notes: `Running processes use the new partitions within about ten seconds, and workspaces are spread over throttle processes anew;
nothing is delayed for longer. A topic cannot shrink. If the command was interrupted, run it again.`,
  handler: async ({ partitions, topic }, { host }) => ({
    partitions,
    grown: (await (await clusterOf(host))?.growTopics(topic === undefined ? TOPIC_NAMES : [topic], partitions)) ?? [],
  }),
  text: ({ grown, partitions }) =>
    grown.length === 0
      ? `Nothing to grow: each topic already has ${partitions} partitions, or the engine is embedded and has none.\n`
      : `${grown.join(', ')}: ${partitions} partitions. Running processes use them within about ten seconds.\n`,
});

/** `kurir topics`: the topics of the event log. */
export const TOPICS_COMMANDS: readonly CliCommand[] = [list, create, grow, move];
