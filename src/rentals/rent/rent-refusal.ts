import { UserError } from '../../core/errors.ts';

/** Why a wish to rent cannot be granted; nothing was sent. */
export type RentRefusalKind =
  /** Every offer that may be tried is gone. */
  | 'offer-gone'
  | 'price-above-cap'
  /** The market does not say what it would cost. */
  | 'price-unknown'
  /** The key came with another wish before. */
  | 'key-reused'
  /** What would be sent is wrong. */
  | 'wrong-wish';

/** A wish that was refused before anything was sent; the message says why. */
export class RentRefusal extends UserError {
  override name = 'RentRefusal';
  readonly kind: RentRefusalKind;
  /** Of a wrong wish: what of it. */
  readonly fields: readonly string[];

  constructor(kind: RentRefusalKind, message: string, fields: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.fields = fields;
  }
}
