import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import type { Page } from './page';
import { renderForm } from './render-form';
import { style } from './style';

const template = `<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title><% if (it.form && it.form.alert) { %><%= it.form.alert.title %>: <% } %><%= it.heading %></title>
<style><%~ it.style %></style>
</head>
<body>
<main>
<h1><%= it.heading %></h1>
<% for (const pieces of it.paragraphs) { %>
<p><% for (const piece of pieces) { %><% if (typeof piece === 'string') { %><%= piece %><% } else { %><b><bdi><%= piece.strong %></bdi></b><% } %><% } %></p>
<% } %>
<%~ it.formHtml %>
<% if (it.button) { %>
<form method="post"><button type="submit"><%= it.button %></button></form>
<% } %>
<% if (it.links && it.links.length > 0) { %>
<ul class="links"><% for (const link of it.links) { %><li><a href="<%= link.path %>"><%= link.label %></a></li><% } %></ul>
<% } %>
<% if (it.sender) { %>
<footer><b><bdi><%= it.sender.name %></bdi></b><% if (it.sender.address) { %><br><bdi><%= it.sender.address %></bdi><% } %></footer>
<% } %>
</main>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });
const compiled = eta.compile(template);

/** The page as HTML; all its texts are escaped. */
export function renderPage(page: Page): string {
  const { form, language = 'id' } = page;
  return eta.render(compiled, { ...page, language, style, formHtml: form ? renderForm(form) : '' });
}

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Allows only the inline style sheet and posting to ourselves: no script, no image, no framing. Browsers hold a form to
 * it also where its answer leads, so the hosts of a redirect are named.
 */
export const contentSecurityPolicy = ({ form }: Pick<Page, 'form'>): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ["form-action 'self'", ...(form?.redirectHosts ?? []).map((host) => `https://${host}`)].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
