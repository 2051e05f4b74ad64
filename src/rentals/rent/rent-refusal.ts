import { UserError } from '../../core/errors.ts';

/** Why a request to rent is refused; nothing was sent. */
export type RentRefusalKind =
  /** Every offer that may be tried is gone. */
  | 'offer-gone'
  | 'price-above-cap'
  /** The market does not state the price. */
  | 'price-unknown'
  /** Its quote is too old. */
  | 'quote-expired'
  /** What it would replace has a replacement already. */
  | 'already-replaced'
  /** The key was used for another request before. */
  | 'key-reused'
  /** The instance to create is invalid. */
  | 'invalid-request';

/** A request that was refused before anything was sent; the message says why. */
export class RentRefusal extends UserError {
  override name = 'RentRefusal';
  readonly kind: RentRefusalKind;
  /** For an invalid request: the wrong fields. */
  readonly fields: readonly string[];

  constructor(kind: RentRefusalKind, message: string, fields: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.fields = fields;
  }
}
