import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './markdown';
import type { Trial } from './try-consumer';
import { copyWithExample } from './worked-example';

const run = promisify(execFile);
const tool = (name: string, ...args: string[]): Promise<{ stdout: string }> =>
  run(process.execPath, [join(ROOT, 'node_modules', name), ...args]);

/** What the compiler says of the service with these changes of its configuration. */
async function typesOf(folder: string, config: object): Promise<string> {
  writeFileSync(join(folder, 'tsconfig.example.json'), JSON.stringify(config));
  return tool('typescript/bin/tsc', '-p', join(folder, 'tsconfig.example.json')).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

/** The queries of lists: their ports, where one more filter is added, and the files of both drivers that read them. */
const QUERIES: readonly (readonly [port: string, type: string, readers: readonly string[]])[] = [
  ['message-store', 'MessageFilter', ['embedded/messages/find-messages', 'mongodb/messages/list-messages']],
  ['message-finder', 'MessageSearch', ['embedded/messages/search-messages', 'mongodb/messages/search-messages']],
  ['contact-store', 'PageQuery', ['embedded/contacts/contact-store', 'mongodb/contacts/contact-store']],
  ['audience-store', 'PageQuery', ['embedded/contacts/audience-store', 'mongodb/contacts/audience-store']],
  [
    'suppression-store',
    'SuppressionQuery',
    ['embedded/contacts/suppression-store', 'mongodb/contacts/suppression-store'],
  ],
  ['campaign-store', 'CampaignQuery', ['embedded/campaigns/campaign-store', 'mongodb/campaigns/campaign-store']],
  ['campaign-runs', 'MembersQuery', ['embedded/campaigns/members', 'mongodb/campaigns/members']],
  [
    ...(['conversion-store', 'ConversionFilter'] as const),
    ['embedded/conversions/conversion-fields', 'mongodb/conversions/list-conversions'],
  ],
  ['delivery-store', 'DeliveryQuery', ['embedded/webhooks/list-deliveries', 'mongodb/webhooks/delivery-store']],
  ['engagement-store', 'EngagementQuery', ['embedded/engagement/top-contacts', 'mongodb/engagement/engagement-store']],
  // The other driver takes a filter for what it is named after.
  ['../shared/record-store', 'RecordPage', ['embedded/records/record-table']],
];

/** Adds a filter to the query of a list: to its interface, or where a method takes a page. */
function addFilter(folder: string, port: string, type: string, name: string): void {
  const file = join(folder, 'stores/ports', `${port}.ts`);
  const before = readFileSync(file, 'utf8');
  const after =
    type === 'PageQuery'
      ? before.replace('page: PageQuery', `page: PageQuery & { ${name}?: string }`)
      : before.replace(new RegExp(`(interface ${type}\\b.*\\{\\n)`), `$1  ${name}?: string;\n`);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

/** What a reader of the example would start. */
const ENTRY = `
import { createComplaintWatch } from './consumers/complaint-watch';
import { tryConsumer } from './test/docs/try-consumer';
import { tryMessageField } from './test/docs/try-message-field';
void Promise.all([tryConsumer(createComplaintWatch), tryMessageField()]).then((trials) =>
  process.stdout.write(JSON.stringify(trials)),
);
`;

describe('the worked examples of CONTRIBUTING.md', () => {
  let folder: string;
  beforeAll(() => {
    folder = copyWithExample();
    writeFileSync(join(folder, 'entry.ts'), ENTRY);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('compile with the service they are put in', async () => {
    const config = {
      extends: './tsconfig.json',
      include: [],
      files: [
        'entry.ts',
        'app/services/role-parts.ts',
        'dashboard/messages/messages.ts',
        'streams/drivers/kafka/kafkajs/request-queue.d.ts',
      ],
    };
    expect(await typesOf(folder, config)).toBe('');
  }, 300_000);

  test('work: a consumer tells of the complaint and drops the rest, a field goes wherever it is declared to go', async () => {
    const program = join(folder, 'entry.js');
    const flags = ['--bundle', '--platform=node', '--packages=external', '--log-level=error', `--outfile=${program}`];
    await tool('esbuild/bin/esbuild', join(folder, 'entry.ts'), ...flags);
    const { stdout } = await run(process.execPath, [program]);
    const [consumer, field] = JSON.parse(stdout) as [Trial, object];
    expect(consumer).toEqual({
      lines: [{ workspace: 'Melati', messageId: expect.any(String), text: 'a recipient complained' }],
      dropped: ['no complaint', 'no such workspace'],
      lag: 0,
    });
    expect(field).toEqual({
      faults: { tag: ['The tag field must not be greater than 64 characters.'] },
      isPlain: [true, false],
      listed: [1, ['untuk Sari']],
      shown: 'untuk Sari',
      webhook: 'untuk Sari',
      mail: 'nota',
      erased: 'untuk (dihapus)',
    });
  });

  test('a filter of a list that a driver does not read does not compile', async () => {
    for (const [n, [port, type]] of QUERIES.entries()) addFilter(folder, port, type, `unread${n}`);
    const files = ['stores/embedded/stores.ts', 'stores/mongodb/stores.ts'];
    const errors = await typesOf(folder, { extends: './tsconfig.json', include: [], files });
    const found = QUERIES.flatMap(([, , readers]) => readers).filter((reader) =>
      errors.includes(`stores/${reader}.ts(`),
    );
    expect(found).toEqual(QUERIES.flatMap(([, , readers]) => readers));
  }, 300_000);
});
