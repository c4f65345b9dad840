import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import { style } from './start-page-style';

/** What the page at `/` says. */
export interface StartPage {
  version: string;
  engine: string;
  roles: readonly string[];
  /** True when mail goes to the sandbox of this process. */
  isSandbox: boolean;
  /** Links below this host, in their order. */
  places: readonly { path: string; label: string; about: string }[];
  steps: FirstSteps;
}

/** The first steps: with the key of the demo workspace, without it, or those of an installation of one's own. */
export interface FirstSteps {
  kind: 'key' | 'demo' | 'own';
  /** Lines ready to paste. */
  lines: readonly string[];
}

const template = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Kurir</title>
<style><%~ it.style %></style>
</head>
<body>
<main>
<h1>Kurir</h1>
<p><span class="state">Running.</span> A self-hosted email service: send by API or SMTP, and follow each message until it is delivered.</p>
<section aria-labelledby="places"><h2 id="places">Pages</h2>
<ul class="places">
<% for (const place of it.places) { %><li><a href="<%= place.path %>"><strong><%= place.label %></strong> <span><%= place.about %></span></a></li>
<% } %></ul></section>
<section aria-labelledby="steps"><h2 id="steps">First steps</h2>
<% if (it.steps.kind === 'own') { %><p>On the machine that runs Kurir, create a workspace with a sending domain, an API key and coins:</p><% } else { %><p>Send an email from the demo workspace:</p><% } %>
<pre tabindex="0"><%= it.steps.lines.join('\\n') %></pre>
<% if (it.steps.kind === 'key') { %><p><strong>This page shows the API key only once.</strong> You can find it later in <code>first-run.json</code> in the data directory, and <code>npx kurir demo</code> prints it.</p>
<% } else if (it.steps.kind === 'demo') { %><p>The API key is in <code>first-run.json</code> in the data directory, and <code>npx kurir demo</code> prints it.</p>
<% } else { %><p>With the API key, your application can send by <code>POST /v1/messages</code>.</p><% } %>
</section>
<section aria-labelledby="runs"><h2 id="runs">This process</h2>
<dl>
<dt>Version</dt><dd><%= it.version %></dd>
<dt>Engine</dt><dd><%= it.engine %></dd>
<dt>Sending server</dt><dd><%= it.isSandbox ? 'the sandbox: emails are kept here and never delivered' : 'your own' %></dd>
<dt>Roles</dt><dd><%= it.roles.join(', ') %></dd>
</dl></section>
</main>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true, autoTrim: ['nl', false] });
const compiled = eta.compile(template);

/** The page as HTML. */
export const renderHome = (home: StartPage): string => eta.render(compiled, { ...home, style });

/** Allows the inline style sheet and the empty icon, and nothing else. */
export const homePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
