import { describe, expect, it } from '@jest/globals';
import { compose } from '../../email/compose';
import { readContent } from '../../sandbox/mail-content';
import { headerBlock } from '../../email/mail-headers';
import { composeInput } from './support/compose-input';

const composed = async (
  content: { subject: string; html: string; text?: string },
  variables: Record<string, string>,
) => {
  const { subject, html, text = null } = content;
  const input = composeInput({ body: { html, text, variables } });
  const mail = compose({ ...input, message: { ...input.message, subject } });
  const raw = Buffer.concat([Buffer.from(`${headerBlock(mail.headers)}\r\n`), mail.body]);
  return { ...(await readContent(raw)), subject: /^Subject: (.*)\r$/m.exec(raw.toString())?.[1], mail };
};

describe('merge tags of its own', () => {
  // spec: docs/contract.md#template-variables: escaped, on one line, not read again
  it('are filled in subject, html and text: escaped in html, on one line, never read again', async () => {
    const variables = { order_no: '<b>&"17"</b>', note: 'a\r\nX-Evil: 1 {{email}}' };
    const template = {
      subject: '{{order_no}} {{ NOTE }}',
      html: '<p title="{{order_no}}">{{order_no}} {{note}}</p>',
      text: '{{order_no}} {{note}}',
    };
    const { html, text, subject } = await composed(template, variables);
    expect(subject).toBe('<b>&"17"</b> a X-Evil: 1 {{email}}');
    expect(html).toContain('<p title="&lt;b&gt;&amp;&quot;17&quot;&lt;/b&gt;">');
    expect(html).toContain('a X-Evil: 1 {{email}}</p>');
    expect(text).toContain('<b>&"17"</b> a X-Evil: 1 {{email}}');
  });

  it('show the fallback for an empty value, and stay as written where they are none', async () => {
    const { html } = await composed({ subject: 's', html: '<p>{{code|belum ada}} {{other}}</p>' }, { code: '' });
    expect(html).toContain('<p>belum ada {{other}}</p>');
  });

  it('may be the URL of a tracked link', async () => {
    const content = { subject: 's', html: '<a href="{{track}}">lacak</a>' };
    const { mail } = await composed(content, { track: 'https://toko.example/l?a=1&b=2' });
    expect(mail.destinations).toEqual(['https://toko.example/l?a=1&b=2']);
  });

  it('of one message are none of another with the same html', async () => {
    const html = '<p>{{code}} {{name|Kak}}</p>';
    expect((await composed({ subject: 's', html }, { code: '1' })).html).toContain('<p>1 ');
    expect((await composed({ subject: 's', html }, { other: '1' })).html).toContain('<p>{{code}} ');
    expect((await composed({ subject: 's', html: `["code"]${html}` }, {})).html).toContain('["code"]<p>{{code}} ');
  });
});
