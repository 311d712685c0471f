/** Titles by id: `S` a capability, `A` an acceptance check, `D` a defect to avoid; then the number of the system. */
export type Rows = Readonly<Record<string, Row>>;

/** A title, and the reason if the row is out of scope. */
export type Row = string | { readonly title: string; readonly outOfScope: string };

export interface System {
  readonly name: string;
  readonly about: string;
  readonly rows: Rows;
}
