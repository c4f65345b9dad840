import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readBounceRules } from '../../../operations/config/bounce-rules-file';

const dir = mkdtempSync(join(tmpdir(), 'kurir-rules-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const read = (...lines: string[]) => {
  const file = join(dir, 'rules');
  writeFileSync(file, lines.join('\n'));
  return readBounceRules(file);
};
const RULE = { rule: 'ours', class: 'mailbox_full', text: ['kotak * penuh'], sample: '554 Kotak surat penuh' };
const line = (change: object = {}): string => JSON.stringify({ ...RULE, ...change });

test('rules are one a line, between comments and empty lines', () => {
  expect(read('# ours', '', line(), line({ rule: 'two', text: ['luber'], sample: 'luber' }))).toEqual({
    rules: [RULE, { ...RULE, rule: 'two', text: ['luber'], sample: 'luber' }],
    fault: null,
  });
});

test.each([
  ['no JSON', '{', /line 2: it is not a JSON object/],
  ['another class', line({ class: 'full' }), /line 2: "class" must be one of/],
  ['a wrong code', line({ code: ['5.2'] }), /line 2: "code\[0\]" .*a code such as/],
  [
    'no code and no text',
    JSON.stringify({ rule: 'a', class: 'policy', sample: 'x' }),
    /line 2: .*at least one of \[code, text\]/,
  ],
  ['too many gaps', line({ text: ['a * b * c * d'] }), /line 2: "text\[0\]" can have at most 2 wildcards/],
  [
    'too many choices',
    line({ text: ['{a|b} {c|d} {e|f}'] }),
    /line 2: "text\[0\]" can have at most 2 choices in braces/,
  ],
  ['a field that does not exist', line({ regex: '.*' }), /line 2: "regex" is not allowed/],
  [
    'a sample that another rule reads',
    line({ sample: '550 5.1.1 User unknown' }),
    /"sample" does not match this rule, but unknown-user/,
  ],
])('a file with %s is refused with its line and field', (_title, wrong, fault) => {
  const { rules, fault: found } = read('# ours', wrong);
  expect([rules, found]).toEqual([[], expect.stringMatching(fault)]);
});

test('a name that is there twice is refused', () => {
  expect(read(line(), line()).fault).toBe('has a wrong rule on line 2: "rule" ours is already used');
});

test('a missing file is refused', () => {
  expect(readBounceRules(join(dir, 'none')).fault).toBe('names a file that is missing');
});
