import type { App } from '../../core/app.ts';
import type { listedBy } from '../../core/market-choice.ts';
import { defaultMetric, metricOptions } from '../../core/metrics.ts';
import { useWide } from '../../core/use-wide.ts';
import { Choice, Select, Switch } from '../../parts/choice.tsx';
import { MarketChooser } from '../../parts/market-chooser.tsx';
import { ModelPicker } from '../../parts/model-picker.tsx';
import { TypeChooser } from '../../parts/type-chooser.tsx';
import { togetherName } from './opening-models.ts';
import { buckets, chosenRange, indexMetric, maxModelsOf, type Range, ranges } from './trend-request.ts';

const rangeLabels: Record<Range, string> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  '1y': '1 y',
  all: 'All',
};
const bucketLabels: Record<(typeof buckets)[number], string> = {
  auto: 'Auto',
  book: 'Every book',
  '1h': 'hour',
  '1d': 'day',
  '1w': 'week',
};

interface Props {
  app: App;
  query: URLSearchParams;
  /** What the selected markets list. */
  listed: ReturnType<typeof listedBy>;
  /** Ranges without prices of their own. */
  empty: ReadonlySet<Range>;
}

/** Chooses models, types, range, metric and display; each choice goes into the page's address. */
export function TrendChoosers({ app, query, listed, empty }: Props) {
  const { change } = app.address;
  const range = chosenRange(query);
  const wide = useWide();
  const isIndex = query.get('metric') === indexMetric;
  const drawing = (
    <>
      <Select
        label="Metric"
        name="metric"
        options={[
          ...metricOptions('trends'),
          { value: indexMetric, label: 'Like-for-like index, 100 on a common day' },
        ]}
        value={query.get('metric') ?? defaultMetric}
        choose={(metric) => change({ metric: metric === defaultMetric ? null : metric })}
      />
      {!isIndex && (
        <Select
          label="Interval"
          name="bucket"
          options={buckets.map((value) => ({ value, label: bucketLabels[value] }))}
          value={query.get('bucket') ?? 'auto'}
          choose={(bucket) => change({ bucket: bucket === 'auto' ? null : bucket })}
        />
      )}
      <div class="switches">
        <Switch
          label="Log scale"
          name="log"
          on={query.get('log') === '1'}
          change={(on) => change({ log: on ? '1' : null })}
        />
        {!isIndex && (
          <Switch
            label="Compare"
            name="compare"
            title="The previous period: a month earlier, or the length of a longer range"
            on={query.get('compare') === '1'}
            change={(on) => change({ compare: on ? '1' : null })}
          />
        )}
        <Switch
          label="Events"
          name="marks"
          title="R: rentals; !: alerts of your watches"
          on={query.get('marks') !== '0'}
          change={(on) => change({ marks: on ? null : '0' })}
        />
      </div>
    </>
  );
  return (
    <form class="choosers" aria-label="Chart options" onSubmit={(event) => event.preventDefault()}>
      <MarketChooser app={app} />
      <ModelPicker
        names={listed.gpuNames}
        chosen={query.getAll('gpuName')}
        choose={(gpuName) => change({ gpuName, [togetherName]: gpuName.length === 0 ? 'all' : null })}
        max={maxModelsOf(query)}
      />
      <TypeChooser
        listed={listed.types}
        query={query}
        choose={(type) => change({ type: type.length === 1 && type[0] === 'on-demand' ? null : type })}
      />
      <Choice
        legend="Range"
        name="range"
        options={ranges.map((value) => {
          const disabled = empty.has(value) && value !== range;
          return {
            value,
            label: rangeLabels[value],
            disabled,
            title: disabled ? 'No prices beside those of shorter ranges' : undefined,
          };
        })}
        chosen={range}
        choose={(value) => change({ range: value === '30d' ? null : value, from: null, to: null })}
      />
      {wide ? (
        drawing
      ) : (
        <details class="fold drawing">
          <summary>Metric and display</summary>
          <div class="choosers">{drawing}</div>
        </details>
      )}
    </form>
  );
}
