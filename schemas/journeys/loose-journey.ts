import { Faults } from './faults';
import { parseYaml, type YamlNode } from './parse-yaml';

/** The plain values of a file of a journey: texts as they are written, lists and fields. Null: nothing is there. */
export type Loose = string | null | readonly Loose[] | { readonly [field: string]: Loose };

/** The values in the file of a journey, whether they make sense or not; null when it cannot be read at all. */
export function looseJourney(content: string): Loose {
  const faults = new Faults();
  const root = parseYaml(content, faults);
  return root && faults.count === 0 ? plain(root) : null;
}

function plain(node: YamlNode): Loose {
  switch (node.kind) {
    case 'nothing':
      return null;
    case 'text':
      return node.text;
    case 'list':
      return node.items.map(plain);
    case 'map':
      return Object.fromEntries([...node.fields].map(([name, { value }]) => [name, plain(value)]));
  }
}
