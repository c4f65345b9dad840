import type { MessageBody } from '../domain/messages/message';
import { escapeHtml } from './html-escape';
import { plain } from './notice-mail';

/** A mail to an operator: sentences, and where to look. */
export function alarmMail(lines: readonly string[], link: string): MessageBody {
  const said = lines.map(plain);
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"></head>
<body style="margin:0;padding:24px;font:16px/1.6 Arial,Helvetica,sans-serif;color:#111827">
${said.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>
</body>
</html>
`;
  return { html, text: [...said, link].join('\n\n') };
}
