import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile(['workspace', 'create', 'Melati']);
const path = (name: string): string => join(operator.dataDir, name);
const file = (name: string, content: string): string => {
  writeFileSync(path(name), content);
  return path(name);
};

const create = (name: string, ...more: string[]) =>
  operator.run([
    ...['template', 'create', 'Melati', name, '--subject', 'Pesanan {{order_no}}'],
    ...['--html', file('t.html', '<p>{{order_no}} Rp{{total}} <a href="{{link}}">lacak</a></p>')],
    ...['--variables', 'order_no, total:number,link:url', '--json', ...more],
  ]);

describe('kurir template', () => {
  it('create, list and show; the trail names it', async () => {
    const { code, json } = await create('dikirim');
    expect([code, json]).toMatchObject([
      0,
      { name: 'dikirim', version: 1, variables: [{ name: 'order_no', type: 'string' }, { type: 'number' }, {}] },
    ]);
    expect(await operator.ask('template', 'show', 'Melati', 'dikirim')).toEqual(json);
    expect(await operator.ask('template', 'list', 'Melati')).toMatchObject({ data: [{ name: 'dikirim' }] });
    expect((await operator.run(['log'])).out).toMatch(/template create +1 +dikirim/);
  });

  it('edit changes what is given', async () => {
    await create('sunting', '--text', file('t.txt', 'Rp{{total}}'));
    const edited = await operator.ask('template', 'edit', 'Melati', 'sunting', '--subject', 'Baru', '--clear-text');
    expect(edited).toMatchObject({ subject: 'Baru', text: null, version: 2 });
  });

  it('preview fills given and sample values, and writes the html', async () => {
    await create('lihat');
    const shown = ['template', 'preview', 'Melati', 'lihat', '--var', 'order_no=<17>', '--var', 'total=5'];
    const { out } = await operator.run(shown);
    expect(out).toContain('Subject: Pesanan <17>\n');
    expect(out).toContain('<17> Rp5 lacak');
    await operator.ask(...shown, '--out', path('lihat.html'));
    expect(readFileSync(path('lihat.html'), 'utf8')).toContain('&lt;17&gt; Rp5 <a href="https://example.com/">');
    const wrong = await operator.run([...shown.slice(0, 4), '--var', 'total=banyak']);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining('The variables.total field must be a number.'),
    ]);
  });

  it('delete', async () => {
    await create('hapus');
    expect(await operator.ask('template', 'delete', 'Melati', 'hapus')).toMatchObject({ deleted: true });
    expect((await operator.run(['template', 'show', 'Melati', 'hapus'])).code).toBe(1);
  });

  it.each([
    [['--variables', 'Order-1:string'], 2, '--variables must be a list such as'],
    [['--variables', 'order_no:money'], 2, '--variables must be a list such as'],
    [['--variables', 'order_no,total:number'], 1, 'uses {{link}}, which is not a merge tag or a variable.'],
    [['--html', '/nowhere'], 2, '/nowhere cannot be read'],
  ])('create refuses %j', async (options, code, text) => {
    const said = await create(`salah ${options.join(' ')}`, ...options);
    expect([said.code, said.err]).toEqual([code, expect.stringContaining(text)]);
  });

  it('create refuses a name that is taken, and edit without a change', async () => {
    await create('kembar');
    expect((await create('kembar')).err).toContain('The name field has already been taken.');
    expect((await operator.run(['template', 'edit', 'Melati', 'kembar'])).code).toBe(2);
  });
});
