/** Explains why an offer of a market without an account cannot be rented here. */
export const NoAccount = ({ market }: { market: string }) => (
  <span class="soft" title={`Offerbook has no account at ${market}: rent it there`}>
    No account
  </span>
);
