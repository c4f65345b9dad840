import { UnavailableError } from '../../lib/errors';

export interface QueueOptions {
  /** Questions under way at most. */
  atOnce: number;
  /** Questions that may wait beside them. */
  waiting: number;
  /** Of which one owner, a workspace, may have so many: nobody's questions shut out those of others. */
  waitingOfOne: number;
}

interface Question {
  owner: number;
  work: () => Promise<unknown>;
  answer: Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Where questions wait that take long, so that many at once are answered in turn instead of all slowly. Equal ones that wait are
 * asked once; one that is under way is not joined, since it may have looked before what the caller wants to see was written.
 */
export class QueryQueue {
  private readonly waiting = new Map<string, Question>();
  private running = 0;

  constructor(private readonly options: QueueOptions) {}

  /** The answer of `work`, which is told by its key; UnavailableError when too many wait, of all or of the owner. */
  run<T>(owner: number, key: string, work: () => Promise<T>): Promise<T> {
    const equal = this.waiting.get(key);
    if (equal) return equal.answer as Promise<T>;
    if (this.running < this.options.atOnce) return this.begin(work);
    if (this.isFull(owner)) {
      return Promise.reject(new UnavailableError('Too many questions wait for an answer.'));
    }
    const question = newQuestion(owner, work);
    this.waiting.set(key, question);
    return question.answer as Promise<T>;
  }

  private isFull(owner: number): boolean {
    const own = [...this.waiting.values()].filter((question) => question.owner === owner);
    return this.waiting.size >= this.options.waiting || own.length >= this.options.waitingOfOne;
  }

  /** Refuses those that wait. */
  refuse(error: Error): void {
    for (const question of this.waiting.values()) question.reject(error);
    this.waiting.clear();
  }

  private async begin<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  private next(): void {
    const [first] = this.waiting;
    if (!first) return;
    const [key, question] = first;
    this.waiting.delete(key);
    this.begin(question.work).then(
      (value) => question.resolve(value),
      (error: unknown) => question.reject(error),
    );
  }
}

function newQuestion(owner: number, work: () => Promise<unknown>): Question {
  const hooks: Pick<Question, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const answer = new Promise<unknown>((resolve, reject) => Object.assign(hooks, { resolve, reject }));
  return { owner, work, answer, resolve: (value) => hooks.resolve(value), reject: (error) => hooks.reject(error) };
}
