import { goesOn, readingsOf, readPhrase, type Phrase } from './phrase';

/** A place in the tree of how phrases begin, a character a step. */
interface Node {
  next: Map<string, Node>;
  /** Numbers of the phrases whose first part ends here. */
  ends: number[];
}

const newNode = (): Node => ({ next: new Map(), ends: [] });

/** Finds which of thousands of phrases a text has, in one pass over it. */
export class PhraseIndex {
  private readonly phrases: Phrase[] = [];
  private readonly root = newNode();

  /** Adds every reading of some phrases; returns their numbers. */
  add(phrases: readonly string[]): number[] {
    return phrases.flatMap((phrase) => readingsOf(phrase).map((reading) => this.addOne(readPhrase(reading))));
  }

  /** The numbers of the phrases that a text has. */
  find(text: string): ReadonlySet<number> {
    const found = new Set<number>();
    for (let from = 0; from < text.length; from += 1) this.findFrom(text, from, found);
    return found;
  }

  private findFrom(text: string, from: number, found: Set<number>): void {
    let node = this.root.next.get(text.charAt(from));
    for (let at = from + 1; node; at += 1) {
      for (const number of node.ends) {
        if (!found.has(number) && goesOn(text, at, this.phrases[number] ?? [], 1)) found.add(number);
      }
      node = node.next.get(text.charAt(at));
    }
  }

  private addOne(phrase: Phrase): number {
    const number = this.phrases.push(phrase) - 1;
    let node = this.root;
    for (const character of (phrase[0] ?? '').split('')) {
      const next = node.next.get(character) ?? newNode();
      node.next.set(character, next);
      node = next;
    }
    node.ends.push(number);
    return number;
  }
}
