import { answerOf, isEmptyCell, meaningOf } from './read-status';

/** Words in the name of a column that may say who must get no mail, in English and Indonesian. */
const NAME =
  /unsub|subscri|opt[\s_.-]*(in|out)|opted|consent|permission|bounce|complain|spam|abuse|suppress|black[\s_-]*list|block|do[\s_-]*not|donot|\bdnc\b|exclu|gdpr|confirm|verif|status|clean|invalid|undeliver|unreachable|deliverab|valid|newsletter|marketing|mailing[\s_-]*list|disabled|enabled|active|inactive|delet|remov|revok|refus|reject|accept|allow|can[\s_-]*(email|contact|mail)|email[\s_-]*(ok|able)|no[\s_-]*(email|mail|contact)|berhenti|langgan|setuju|izin|ijin|tolak|blokir|pantul|aktif|verifikasi|konfirmasi|boleh/i;
/** What is a number, and not the yes and no that 1 and 0 may be. */
const NUMBER =
  /(^|[\s_.-])(id|uuid|guid|no|nr|nomor|number|count|jumlah|total|qty|quantity|orders?|rating|score|points?|poin|age|umur|zip|postal|phone|mobile|telepon|hp|year|tahun|level|rank|index)$/i;

/** True for a column whose name may say who must get no mail. */
export const isDoubtfulName = (name: string): boolean => NAME.test(name);

/** How lists stand in a cell, as tags do. */
const BETWEEN = /[,;|[\]"']+/;

/** True for a word for a status, and for a list in which one speaks against mail. */
function isTelling(value: string): boolean {
  if (meaningOf(value) !== undefined) return true;
  const items = value.split(BETWEEN);
  return items.length > 1 && items.some((item) => !['subscribed', undefined].includes(meaningOf(item)));
}

/** Different values that are told of a column. */
const SHOWN = 5;
/** A column with more different values is no yes and no. */
const MANY = 50;

/** Watches the values of a column: whether they may say who must get no mail. */
export class ValueWatch {
  /** A value to show, by how it is compared. */
  private readonly seen = new Map<string, string>();
  private words = 0;
  private others = 0;

  constructor(private readonly name: string) {}

  take(cell: string): void {
    if (isEmptyCell(cell)) return;
    const value = cell.trim();
    const key = value.toLowerCase();
    if (this.seen.size < MANY && !this.seen.has(key)) this.seen.set(key, value);
    if (isTelling(value)) this.words += 1;
    else if (!this.isAnswer(value)) this.others += 1;
  }

  private isAnswer(value: string): boolean {
    return answerOf(value) !== undefined && !(/^[01]$/.test(value) && NUMBER.test(this.name));
  }

  /** A word for a status, or nothing but yes and no. */
  get isDoubtful(): boolean {
    return this.words > 0 || (this.seen.size > 0 && this.others === 0);
  }

  /** Each value is a word for a status, and there are some. */
  get isStatus(): boolean {
    return this.words > 0 && [...this.seen.values()].every((value) => meaningOf(value) !== undefined);
  }

  /** Some of the values, as they are written: those that made it doubtful first. */
  get values(): string[] {
    const all = [...this.seen.values()];
    const telling = all.filter(isTelling);
    return [...new Set([...telling, ...all])].slice(0, SHOWN);
  }
}
