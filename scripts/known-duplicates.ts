/** Pairs of files that share six lines or more and stay, each with its reason. */
export const knownDuplicates: Readonly<Record<string, string>> = {
  'src/market/vast/extensions/charges.ts ~ src/market/vast/invoices.ts':
    'two listings, each with its own query and records; the calls are shared in token-pages.ts',
  'src/database/schema/instance.ts ~ src/database/schema/instance.ts': 'columns of two tables',
  'src/database/schema/listing.ts ~ src/database/schema/listing.ts': 'columns of two tables',
  'src/database/schema/billing.ts ~ src/database/schema/notify.ts': 'columns of two tables',
  'src/market/vast/extensions/volumes.ts ~ src/market/vast/extensions/volumes.ts':
    'records of two kinds, field by field',
  'src/market/vast/instances.ts ~ src/market/vast/templates.ts': 'two calls, each with its own fields',
  'src/prices/explain/explanation-schema.ts ~ src/rentals/rent/quotes.routes.ts': 'fields of two answers',
  'src/simulator/endpoints/charges.ts ~ src/simulator/endpoints/invoices.ts':
    "the market's two listings differ in their answers",
  'web/watches/channels.tsx ~ web/watches/watch-table.tsx': 'two lists, each with its own columns',
  'web/watches/channels.tsx ~ web/watches/watch-editor.tsx':
    'a heading, a table and what stands for none: mark-up',
  'src/spend/spend.command.ts ~ src/spend/spend.command.ts': 'two subcommands, each with its own columns',
  'src/market/vast/crawl/page-walk.ts ~ src/market/vast/crawl/price-walk.ts':
    'how a walk confirms its end; the walks go on by other rules',
  'src/rentals/instances/instance-facts.sql.ts ~ src/rentals/instances/instance-rates.sql.ts':
    'the joins of two statements',
  'src/rentals/instances/cheaper.sql.ts ~ src/spend/market/equal-machines.sql.ts':
    'the columns of two queries that compare machines in the same way',
  'src/prices/catalogs/catalogs.command.ts ~ src/watches/rules/rule.command.ts':
    'commands of one argument, each with its own call and words',
  'src/prices/rankings/rankings.routes.ts ~ src/watches/channels/deliveries.routes.ts':
    'schemas of two answers begin alike after the imports',
  'src/books/crawls.routes.ts ~ src/watches/rules/alerts.routes.ts':
    'a schema, then the route that answers it',
  'src/books/crawls.routes.ts ~ src/rentals/record/machine-record.routes.ts':
    'schemas of two answers, one after the other',
};
