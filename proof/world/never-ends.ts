/** The world's word that the program does not come to an end: not a fault of the proof. */
export class NeverEnds extends Error {
  override readonly name = 'NeverEnds';
}
