import type { Role } from '../../domain/people/role';
import type { Language, Texts } from '../texts/texts';
import { LANGUAGES } from '../texts/texts';
import { BASE } from './cookies';
import { html, NOTHING, type Html } from './html';
import { options } from './components';
import type { Screen } from './screen';

interface Place {
  path: string;
  text: keyof Texts;
  role: Role;
}

/** The navigation of a workspace, in its order; the role is the least that sees the place. */
export const WORKSPACE_PLACES: readonly Place[] = [
  { path: '', text: 'navOverview', role: 'viewer' },
  { path: '/messages', text: 'navMessages', role: 'viewer' },
  { path: '/campaigns', text: 'navCampaigns', role: 'viewer' },
  { path: '/journeys', text: 'navJourneys', role: 'viewer' },
  { path: '/contacts', text: 'navContacts', role: 'viewer' },
  { path: '/audiences', text: 'navAudiences', role: 'viewer' },
  { path: '/templates', text: 'navTemplates', role: 'viewer' },
  { path: '/domains', text: 'navDomains', role: 'viewer' },
  { path: '/webhooks', text: 'navWebhooks', role: 'developer' },
  { path: '/suppressions', text: 'navSuppressions', role: 'viewer' },
  { path: '/conversions', text: 'navConversions', role: 'viewer' },
  { path: '/coins', text: 'navCoins', role: 'viewer' },
  { path: '/settings', text: 'navSettings', role: 'viewer' },
];

/** The navigation of the installation. */
export const INSTALLATION_PLACES: readonly Place[] = [
  { path: '/health', text: 'navHealth', role: 'operator' },
  { path: '/workspaces', text: 'navWorkspaces', role: 'operator' },
  { path: '/queues', text: 'navQueues', role: 'operator' },
  { path: '/bounces', text: 'navBounces', role: 'operator' },
  { path: '/users', text: 'navUsers', role: 'operator' },
  { path: '/trail', text: 'navTrail', role: 'operator' },
];

/** What surrounds the main part of a page. */
export interface Surroundings {
  title: string;
  main: Html;
  language: Language;
  t: Texts;
  /** Addresses of the assets by name. */
  assets: Readonly<Record<string, string>>;
  notice: string | null;
  /** The name of an asset that only this page loads. */
  script?: string | undefined;
  /** Null for pages before somebody is signed in. */
  person: {
    name: string;
    csrf: Html;
    csrfToken: string;
    path: string;
    workspace: { id: number; name: string } | null;
    /** Ids and names of the workspaces to change to. */
    workspaces: readonly { id: number; name: string }[];
    mayInWorkspace: (role: Role) => boolean;
    isOperator: boolean;
    /** True if there is a screen at this path of a workspace or of the installation. */
    hasScreen: (of: Screen['of'], path: string) => boolean;
    /** The sandbox's pages, while there is a sandbox. */
    hasSandbox: boolean;
    /** Where the pages beside the dashboard are; empty: here. */
    site: string;
  } | null;
}

const place = (href: string, label: string, path: string): Html => {
  const isHere = path === href || (path.startsWith(`${href}/`) && href.split('/').length > 4) || isBelow(path, href);
  return html`<li><a href="${href}" ${isHere ? html` aria-current="page"` : NOTHING}>${label}</a></li>`;
};
/** A screen below a place that is not the first of its workspace. */
const isBelow = (path: string, href: string): boolean => !/^\/app\/w\/\d+$/.test(href) && path.startsWith(`${href}/`);

function navigation({ t, person }: Surroundings): Html {
  if (!person) return NOTHING;
  const { workspace, path, isOperator } = person;
  const others = person.workspaces.filter(({ id }) => id !== workspace?.id);
  const base = workspace ? `${BASE}/w/${workspace.id}` : '';
  return html`<nav aria-label="${t.menu}">
    ${
      workspace
        ? html`<h2>${workspace.name}</h2>
            <ul>
              ${WORKSPACE_PLACES.filter(({ role, path: at }) => person.mayInWorkspace(role) && person.hasScreen('workspace', at)).map((one) => place(base + one.path, t[one.text], path))}
            </ul>`
        : NOTHING
    }
    ${
      others.length > 0
        ? html`<h2>${t.navWorkspaces}</h2>
            <ul>
              ${others.map(({ id, name }) => place(`${BASE}/w/${id}`, name, path))}
            </ul>`
        : NOTHING
    }
    ${
      isOperator
        ? html`<h2>${t.navInstallation}</h2>
            <ul>
              ${INSTALLATION_PLACES.filter(({ path: at }) => person.hasScreen('installation', at)).map((one) => place(BASE + one.path, t[one.text], path))}
            </ul>`
        : NOTHING
    }
    <h2>Kurir</h2>
    <ul>
      ${person.hasSandbox ? html`${place(`${person.site}/sandbox/inbox`, t.navInbox, path)}${place(`${person.site}/sandbox/hooks`, t.navHooks, path)}` : NOTHING}${place(`${person.site}/docs`, t.navDocs, path)}
    </ul>
  </nav>`;
}

const languageForm = ({ t, language, person }: Surroundings): Html =>
  html`<form method="post" action="${BASE}/language">
    ${person?.csrf} <label class="sr" for="language">${t.language}</label
    ><select id="language" name="language" data-submit>
      ${options(
        LANGUAGES.map((value) => ({ value, label: value === 'id' ? 'Bahasa Indonesia' : 'English' })),
        language,
      )}
    </select>
    <noscript><button class="link">OK</button></noscript>
  </form>`;

/** A whole page. */
export function layout(of: Surroundings): string {
  const { title, main, language, t, assets, notice, person } = of;
  const said = notice === null ? NOTHING : html`<p class="notice" role="status">${notice}</p>`;
  const content = person
    ? html`<div class="frame">
        <header class="side">
          <a class="brand" href="${BASE}">Kurir</a>
          <div class="only-wide">${navigation(of)}</div>
          <details class="only-narrow">
            <summary>${t.menu}</summary>
            ${navigation(of)}
          </details>
        </header>
        <div class="main">
          <nav class="bar" aria-label="${t.account}">
            ${person.hasScreen('person', '/me') ? html`<a href="${BASE}/me">${person.name}</a>` : html`<span>${person.name}</span>`}${languageForm(of)}
            <form method="post" action="${BASE}/sign-out">
              ${person.csrf}<button class="link">${t.signOut}</button>
            </form>
          </nav>
          <main id="main" tabindex="-1">${said}${main}</main>
        </div>
      </div>`
    : html`<main id="main" class="narrow" tabindex="-1">${said}${main}${languageForm(of)}</main>`;
  return html`<!doctype html>
<html lang="${language}" data-locale="${t.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title} – Kurir</title>
<link rel="stylesheet" href="${assets['app.css']}"><script src="${assets['app.js']}" defer></script><script src="${assets['htmx.js']}" defer></script>${
    of.script === undefined ? NOTHING : html`<script src="${assets[of.script]}" defer></script>`
  }</head>
<body${person ? html` hx-headers:inherited='{"X-CSRF-Token":"${person.csrfToken}"}'` : NOTHING}><a class="skip" href="#main">${t.skip}</a>
${content}</body></html>`.text;
}
