/**
 * Draws each element with `data-chart` by uPlot, which stands before it in the asset, and closes the table that says
 * the same. Days are those of WIB, as they are counted; hours are in the zone of the reader.
 */
export const CHART_SCRIPT = `'use strict';
for (const place of document.querySelectorAll('[data-chart]')) {
  const { at, by, title, series } = JSON.parse(place.dataset.chart);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const { locale } = document.documentElement.dataset;
  const number = (n) => (n == null ? '–' : n.toLocaleString(locale));
  const timeZone = by === 'day' ? 'Asia/Jakarta' : undefined;
  const hours = by === 'day' ? {} : { hour: '2-digit', minute: '2-digit' };
  const form = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', ...hours });
  const said = (s) => (s == null ? '–' : form.format(s * 1000));
  let drawn = null;
  const draw = () => {
    if (drawn) drawn.destroy();
    const colours = ['--focus', '--good', '--bad', '--warn', '--accent', '--soft'].map(css);
    const axis = { stroke: css('--soft'), grid: { stroke: css('--line') }, ticks: { stroke: css('--line') } };
    drawn = new uPlot({
      width: place.clientWidth,
      height: 260,
      tzDate: (s) => timeZone ? uPlot.tzDate(new Date(s * 1000), timeZone) : new Date(s * 1000),
      scales: { y: { range: (u, low, high) => [0, Math.max(1, high * 1.05)] } },
      axes: [
        { ...axis, values: (u, splits) => splits.map(said), ...(by === 'day' ? { space: 60, incrs: [1, 2, 7, 14, 28].map((n) => n * 86400) } : { space: 110 }) },
        { ...axis, size: 64, incrs: [1, 2, 5].flatMap((n) => [0, 1, 2, 3, 4, 5, 6].map((e) => n * 10 ** e)).sort((a, b) => a - b), values: (u, splits) => splits.map(number) },
      ],
      series: [
        { label: title, value: (u, s) => said(s) },
        ...series.map(({ label }, n) => ({
          label, stroke: colours[n], width: 2, dash: n > 3 ? [6, 4] : undefined, value: (u, value) => number(value), points: { show: at.length < 40 },
        })),
      ],
    }, [at, ...series.map(({ values }) => values)], place);
  };
  draw();
  let waiting = 0;
  addEventListener('resize', () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  const table = place.nextElementSibling;
  if (table && table.matches('details')) table.open = false;
}
`;
