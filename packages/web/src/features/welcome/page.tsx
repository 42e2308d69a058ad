import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Page, PageHeader } from '../../components/page-header.tsx';
import { PartBoundary } from '../../components/part-boundary.tsx';
import { useCan } from '../../lib/account/index.ts';
import { inputTypesQuery } from '../../lib/inputs/index.ts';
import { InputStep } from './input-step.tsx';
import { messageCountQuery, startedInputsQuery } from './queries.ts';
import { ResultStep } from './result-step.tsx';
import { SendStep } from './send-step.tsx';
import { Step } from './step.tsx';
import { texts } from './texts.ts';
import classes from './welcome.module.css';

export function WelcomePage() {
  const inputs = useQuery({ ...startedInputsQuery, enabled: useCan('inputs:read') });
  const messages = useQuery({ ...messageCountQuery, enabled: useCan('messagecount:read') });
  const types = useQuery(inputTypesQuery);
  // All steps at once: one that grows when its answer comes would push those below it away.
  const isWaiting = [inputs, messages, types].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  );
  const { data: states } = inputs;
  const { data: stored } = messages;
  const running = (states ?? []).filter(({ state }) => state === 'RUNNING');
  const count = stored?.events ?? 0;
  // Sending and seeing go together: whoever has an input sends, and looks whether it arrives.
  const afterInput = count > 0 ? 'done' : running.length > 0 ? 'current' : 'later';
  return (
    <Page>
      <PageHeader
        title={texts.title}
        about={texts.about}
        actions={
          count > 0 && (
            <Button component={Link} to="/" variant="filled">
              {texts.goOn}
            </Button>
          )
        }
      />
      {!isWaiting && (
        <ol className={classes.steps}>
          <Step number={1} title={texts.steps[0]} state={running.length > 0 ? 'done' : 'current'}>
            <PartBoundary>
              <InputStep states={states} />
            </PartBoundary>
          </Step>
          <Step number={2} title={texts.steps[1]} state={afterInput}>
            <SendStep states={running} />
          </Step>
          <Step number={3} title={texts.steps[2]} state={afterInput === 'current' ? 'open' : afterInput}>
            <ResultStep count={count} />
          </Step>
        </ol>
      )}
    </Page>
  );
}
