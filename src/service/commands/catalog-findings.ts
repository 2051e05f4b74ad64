import { UserError } from '../../core/errors.ts';
import type { Finding } from '../../market/finding.ts';
import { hasCatalogs, listCatalogGpus, listMarketModels } from '../../prices/catalogs/catalogs.sql.ts';
import { describeGpus } from '../../prices/catalogs/describe-gpus.ts';
import { hasData } from '../has-data.ts';
import type { ServiceContext } from '../service-context.ts';

/** Maximum number of names in a finding. */
const maxNames = 30;

/**
 * Reports GPU names in stored catalogs that match no market's model, so that their prices are not compared; empty
 * without a database or catalogs.
 */
export async function examineCatalogs({
  config,
  withDatabase,
}: Pick<ServiceContext, 'config' | 'withDatabase'>): Promise<Finding[]> {
  if (!(await hasData(config()))) return [];
  try {
    const gpus = await withDatabase(async (sql) => {
      if (!(await hasCatalogs(sql))) return [];
      return describeGpus(await listCatalogGpus(sql), await listMarketModels(sql));
    });
    return gpus.length === 0 ? [] : [describe(gpus)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [{ subject: 'catalogs', status: 'unknown', message: error.message, measured: {} }];
  }
}

function describe(gpus: ReturnType<typeof describeGpus>): Finding {
  const unknown = gpus.filter(({ status }) => status === 'unknown');
  const names = unknown.map(({ name, form }) => (form === null ? name : `${name} (${form})`));
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  return {
    subject: 'catalogs',
    status: unknown.length === 0 ? 'ok' : 'unknown',
    message:
      unknown.length === 0
        ? `all ${gpus.length} GPU names of catalogs are known`
        : `${names.length} of ${gpus.length} GPU names of catalogs match no model of a market, so their prices are not compared: ${names.slice(0, maxNames).join(', ')}${more}. \`offerbook catalogs list\` names their sellers.`,
    measured: { gpuNames: gpus.length, unknown: names },
  };
}
