const tabs = [
  { path: '/instances', label: 'Instances' },
  { path: '/templates', label: 'Templates' },
  { path: '/volumes', label: 'Volumes' },
] as const;

/** Tabs for the views of the market account. */
export function AccountTabs({ path }: { path: (typeof tabs)[number]['path'] }) {
  return (
    <nav class="tabs" aria-label="Account">
      {tabs.map((tab) => (
        <a key={tab.path} class="tab" href={tab.path} aria-current={tab.path === path ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
