import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLASSES } from '../../../proof/judge/counts';
import { gatesOf } from '../../../proof/judge/gates';
import type { Line } from '../../../proof/judge/history';
import { judge } from '../../../proof/judge/judge';
import { readHistory } from '../../../proof/judge/read-history';
import { tellStory } from '../../../proof/judge/tell-story';
import { largeHistory } from './large';
import { failing, MINUTE, NO_RECORD, Play, retried } from './play';

describe('a history file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-history-'));
  const file = join(folder, 'history.jsonl');
  beforeAll(() => writeFileSync(file, ''));
  afterAll(() => rmSync(folder, { recursive: true }));

  const readAll = async (text: string): Promise<Line[]> => {
    writeFileSync(file, text);
    const lines: Line[] = [];
    for await (const line of readHistory(file)) lines.push(line);
    return lines;
  };

  test('is read as it was written', async () => {
    const lines = new Play().whole('m').final();
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(await readAll(`${text}\n\n`)).toEqual(lines);
    expect((await judge(readHistory(file))).findings).toEqual([]);
  });

  test.each([
    ['{', '2: no JSON'],
    ['[]', '2: t is no number'],
    ['null', '2: no object'],
    ['{"t":1}', '2: process is no text'],
    ['{"t":1,"process":"x","type":"done"}', '2: type is none of invoke, ok, fail, info'],
    ['{"t":1,"process":"x","type":"ok","f":"fly"}', '2: f is none of account, send'],
    ['{"t":1,"process":"x","type":"ok","f":"send"}', '2: n is no number'],
    ['{"t":1,"process":"x","type":"ok","f":"send","n":1}', '2: value is no object'],
  ])('with the line %s is refused', async (line, text) => {
    const first = JSON.stringify(new Play().lines[0]);
    await expect(readAll(`${first}\n${line}\n`)).rejects.toThrow(`${file}:${text}`);
  });
});

test('a history of 10^5 lines is judged', async () => {
  const lines = largeHistory(100_000);
  expect(lines.length).toBeGreaterThan(90_000);
  const { findings, counts } = await judge(lines);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ lines: lines.length, workspaces: 20, messages: counts['sends'] });
});

test('one wrong thing in a long history is found, and nothing else', async () => {
  const lines = largeHistory(10_000);
  const place = lines.findIndex(({ f, type }) => f === 'take' && type === 'invoke');
  const taken = { ...lines[place]!, n: -1 };
  const { findings } = await judge(lines.toSpliced(place, 0, taken, { ...taken, type: 'info', value: {} }));
  expect(findings).toMatchObject([{ rule: 'doubled' }]);
});

test('counts and gates', async () => {
  const play = retried(new Play())
    .whole('a', 'unknown')
    .whole('b', null)
    .send('c')
    .take('c', { type: 'info' })
    .fault()
    .report('c', 'delivered')
    .report('c', 'delivered')
    .state('c', 'delivered');
  const { counts } = await judge(play.final());
  expect(counts).toMatchObject({
    sends: 4,
    takes: 3,
    unansweredTakes: 1,
    threeDayRetries: 1,
    penalties: 1,
    withoutRecord: 1,
    doubledReports: 1,
    'reports.unknown': 1,
    'faults.kill': 1,
    opens: 0,
    delivered: 1,
    bounced: 1,
    failed: 2,
  });
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(CLASSES));
  expect(gatesOf(counts, { takes: 3, opens: 1, 'reports.spam': 1 })).toEqual([
    { name: 'takes', seen: 3, least: 3, isOpen: true },
    { name: 'opens', seen: 0, least: 1, isOpen: false },
    { name: 'reports.spam', seen: 0, least: 1, isOpen: false },
  ]);
});

test('limits that a slower world states', async () => {
  const play = new Play().send('m');
  play.act('person', 'block', { workspace: 1, to: 'm@a.test' }, { status: 200 });
  const lines = play
    .wait(2 * MINUTE)
    .take('m')
    .report('m', 'delivered')
    .state('m', 'delivered')
    .final();
  expect((await judge(lines)).findings).toMatchObject([{ rule: 'blocked' }]);
  expect((await judge(lines, { claimed: 3 * MINUTE })).findings).toEqual([]);
});

describe('the story of a finding', () => {
  test('tells what was done to the message, and what the judge means', async () => {
    const play = new Play().whole('n').send('m').take('m').fault('kill').report('m', 'delivered').refund('m');
    const lines = play.state('m', 'failed', NO_RECORD).final();
    const { findings } = await judge(lines);
    expect(tellStory(findings[0]!, lines).split('\n')).toEqual([
      'message m: It is failed in the end, not delivered. (state)',
      '> 0d 00:00:00.030  caller-1 begins send: workspace 1, key null, to m@a.test',
      '> 0d 00:00:00.040  caller-1 has done send: status 201, message m, state queued',
      '> 0d 00:00:00.040  mta begins take: message m, to m@a.test, fault null',
      '> 0d 00:00:00.050  mta has done take: reply 250 ok',
      '  0d 00:00:00.050  nemesis suffers fault: kind kill',
      '> 0d 00:00:00.050  mta begins report: message m, kind delivered',
      '> 0d 00:00:00.060  mta has done report: reply 250 ok',
      '> 0d 00:00:00.060  operator begins final: workspace 1',
      expect.stringContaining(
        `messages [{"message":"m","to":"m@a.test","state":"failed","reason":"${NO_RECORD}"}; of 2]`,
      ),
    ]);
  });

  test('of a hook and of a workspace', async () => {
    const hook = failing([30, 60, 90, 120, 300]).final();
    const found = (await judge(hook)).findings.find(({ rule }) => rule === 'webhook-attempts')!;
    expect(tellStory(found, hook).match(/begins deliver/g)).toHaveLength(6);
    const read = new Play().whole('m').read(1).final();
    expect(tellStory((await judge(read)).findings[0]!, read)).toContain(
      '> 0d 00:00:00.040  caller-2 has done balance: coins 1',
    );
  });

  test('leaves out the middle of a long one', async () => {
    const play = new Play();
    for (let i = 0; i < 300; i += 1) play.read(1_000);
    const lines = play.final();
    expect(tellStory((await judge(lines)).findings[0]!, lines)).toMatch(/\.\.\. \d+ more/);
  });
});
