/** Why an offer of another market than the account's cannot be rented from here. */
export const NoAccount = ({ market }: { market: string }) => (
  <span class="soft" title={`Offerbook has no account at ${market}: rent it there`}>
    No account
  </span>
);
