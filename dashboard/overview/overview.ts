import { html } from '../kit/html';
import { page, screen, type Screen } from '../kit/screen';

const overview = screen('', 'viewer', async ({ workspace, t }) =>
  page(t.overviewTitle, html`<h1>${workspace?.name}</h1>`),
);

export const OVERVIEW: readonly Screen[] = [overview];
