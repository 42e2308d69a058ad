import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { CONTROLS } from './controls.tsx';
import type { Exhibit } from './exhibit.ts';
import { FEEDBACK } from './feedback.tsx';
import { FIGURES } from './figures.tsx';
import { FORMS } from './forms.tsx';
import classes from './gallery.module.css';
import { MESSAGE_PARTS } from './messages.tsx';
import { SEARCH_PARTS } from './search-parts.tsx';

const EXHIBITS: readonly Exhibit[] = [
  ...CONTROLS,
  ...FEEDBACK,
  ...FIGURES,
  ...FORMS,
  ...SEARCH_PARTS,
  ...MESSAGE_PARTS,
];

/** Every component in every state, for those who build the others. Only in development builds. */
export function GalleryPage() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <main>
      <Page>
        <PageHeader
          title="Components"
          about="Every component in every state."
          actions={
            <SegmentedControl
              aria-label="Theme"
              data={['light', 'dark', 'auto']}
              value={colorScheme}
              onChange={(value) => setColorScheme(value as typeof colorScheme)}
            />
          }
        />
        {EXHIBITS.map(({ name, states, isWide = false }) => (
          <section key={name} className={classes.exhibit} aria-label={name}>
            <h2>{name}</h2>
            <div className={classes.states} data-wide={isWide}>
              {states.map(({ title, content }) => (
                <figure key={title} className={classes.state}>
                  <figcaption>{title}</figcaption>
                  {content}
                </figure>
              ))}
            </div>
          </section>
        ))}
      </Page>
    </main>
  );
}
