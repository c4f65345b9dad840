import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The phrases that `npm run lint` objects to in texts of the command line, text by text. */
function faultsOf(texts: readonly string[]): string[][] {
  const argv = ['--stdin', '--stdin-filename', 'cli/sample.mjs', '--format', 'json'];
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/eslint/bin/eslint.js'), ...argv], {
    cwd: ROOT,
    input: texts.map((text, n) => `export const text${n} = ${JSON.stringify(text)};`).join('\n'),
    encoding: 'utf8',
  });
  const [{ messages }] = JSON.parse(stdout) as [{ messages: { line: number; ruleId: string; message: string }[] }];
  const found = messages.filter(({ ruleId }) => ruleId === 'kurir/wording');
  return texts.map((_, n) =>
    found.flatMap(({ line, message }) => (line === n + 1 ? [/"(.*?)"/.exec(message)?.[1] ?? message] : [])),
  );
}

describe('the words of texts', () => {
  it('are not those of the old voice', () => {
    const old: readonly (readonly [string, readonly string[]])[] = [
      ['What needs a hand', ['needs a hand']],
      ['lets somebody sign in no more', ['no more', 'somebody']],
      ['the campaign is made all the same', ['all the same']],
      ['Ask whoever runs this service for a link', ['whoever']],
      ['Your account has no second factor.', ['second factor']],
      ['Costs a coin, as any mail does; mails wait meanwhile', ['mails', 'meanwhile']],
      ['send a mail to an address that gets no mail', ['a mail', 'gets no mail']],
      ['Look at it again, and mend it', ['Look at', 'mend']],
      ['It is in the trail, and stands in the footer', ['the trail', 'stands in']],
      ['In hand: claimed, and not yet sent', ['In hand']],
      ['It goes on by itself with a key of its own', ['goes on', 'of its own', 'by itself']],
      ['siti@toko.example is no member any more', ['any more', 'is no member']],
      ['Driven again, each does what is left to do', ['Driven again']],
      ['The template Melati is there already', ['is there already']],
    ];
    expect(faultsOf(old.map(([text]) => text))).toEqual(old.map(([, phrases]) => phrases));
  });

  it('may be those of the glossary, of code, of the database, and of Indonesian', () => {
    const texts = [
      'No more results',
      'at most 10 attempts, no more than 5 a minute',
      'Your mail server refused the email.',
      'Not in any journey',
      'mails',
      'SELECT id FROM mails WHERE mail = ?',
      '<ol class="mails"><li>No messages yet</li></ol>',
      'Without consent, this import sends {mails} confirmation emails.',
      'Email ini tidak bisa dikirim lagi.',
    ];
    expect(faultsOf(texts)).toEqual(texts.map(() => []));
  });

  it('are looked at in the README and the headings of documents', () => {
    const { status, stderr } = spawnSync(process.execPath, ['packaging/check-wording.mjs'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
