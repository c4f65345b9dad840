/**
 * Sets the class by which Swagger UI is dark, as the other pages are: when the visitor prefers it. Runs before the
 * first paint.
 */
export const themeScript = `'use strict';
(() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  show();
  dark.addEventListener('change', show);
})();
`;
