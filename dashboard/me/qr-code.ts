import qrcode from 'qrcode-generator';
import { html, type Html } from '../kit/html';

/** Empty modules around the code that readers need. */
const QUIET = 4;

/** A text as a QR code, black on white in either scheme since not every reader knows the other way. */
export function qrCode(text: string, label: string): Html {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const modules = Array.from({ length: code.getModuleCount() }, (_, n) => n);
  const dark = modules.flatMap((row) =>
    modules.flatMap((column) => (code.isDark(row, column) ? [`M${column + QUIET} ${row + QUIET}h1v1h-1z`] : [])),
  );
  const size = modules.length + 2 * QUIET;
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${dark.join('')}" fill="#000" />
  </svg>`;
}
