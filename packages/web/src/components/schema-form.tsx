import { Button } from '@mantine/core';
import {
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { ApiError, type Problem } from '../lib/api/index.ts';
import {
  allValues,
  changedValues,
  type FormField,
  type FormValues,
  initialValues,
  isOfField,
  isShown,
  MORE,
  problemOf,
  problemsAfterAsking,
  problemsByField,
  problemsOf,
  problemsWithin,
  type SentencePart,
} from '../lib/forms/index.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { Conflict, isConflict } from './conflict.tsx';
import { Disabled } from './disabled.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { focusFirstProblem } from './first-problem.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { SchemaField } from './schema-field.tsx';
import classes from './schema-form.module.css';
import { SentenceFields } from './sentence-fields.tsx';
import { useDrafts } from './use-drafts.ts';

export interface SchemaFormProps {
  readonly fields: readonly FormField[];
  /** Where a type is chosen that the fields depend on: what was typed for each type stays. */
  readonly type?: string | undefined;
  /** What is stored, when something is changed; without it, something new is made. */
  readonly stored?: FormValues | undefined;
  /** What stands in a new form at first, beside the defaults. */
  readonly filled?: FormValues | undefined;
  readonly submitLabel: string;
  /** Why it cannot be sent; nothing when it can. */
  readonly noSubmitReason?: string | undefined;
  /** What differs from the defaults for something new, everything for a change. */
  readonly onSubmit: (values: FormValues) => void;
  /** What would be sent now, for a preview. */
  readonly onValues?: ((values: FormValues) => void) | undefined;
  /** Somebody tries to send it, whether or not it is complete. */
  readonly onTry?: (() => void) | undefined;
  /** Something in `children` is missing or wrong, and says so once somebody tries to send it. */
  readonly isIncomplete?: boolean | undefined;
  readonly onCancel?: (() => void) | undefined;
  readonly isBusy?: boolean;
  /** Asks the server what is wrong, before anything is sent: between fields, and what only it knows. */
  readonly validate?: ((values: FormValues) => Promise<readonly Problem[]>) | undefined;
  /** What the server said to the last attempt. */
  readonly error?: Error | null;
  /** What is offered when the error is that somebody else has changed it meanwhile. */
  readonly conflict?: ConflictOffers | undefined;
  /** Fields that every object has, such as its title, above those that the schema describes. */
  readonly children?: ReactNode;
  /** Fields that are read as a sentence, above the others. */
  readonly sentence?: SentenceProps | undefined;
  /** Asks before somebody leaves what is not saved. */
  readonly leave?: LeaveProps | undefined;
  /** The button takes the focus when the form appears: it has just been pressed in the form that was here before. */
  readonly isAgain?: boolean;
  /** More of them, below those that the schema describes. */
  readonly below?: ReactNode;
}

export interface ConflictOffers {
  /** "stream" */
  readonly what: string;
  /** Reads what is stored now; another form begins with that. */
  readonly onReload: () => Promise<void>;
  /** Stores these values, whatever others have stored. */
  readonly onOverwrite: (values: FormValues) => void | Promise<void>;
}

export interface SentenceProps {
  readonly parts: readonly SentencePart[];
  /** Stands right below it, such as what it means for messages that are stored. */
  readonly below?: ReactNode;
}

export interface LeaveProps {
  /** What would be lost. */
  readonly what: string;
  /** Whether something in `children` was changed. */
  readonly isChanged?: boolean;
  readonly isSaved: boolean;
}

/** What the server said to the last attempt, and of which type that was. */
interface Answered {
  readonly error: Error | null;
  readonly type: string;
}

type Store = (values: FormValues) => void | Promise<void>;

/** A form from a description. It knows kinds of fields and no kind of component. */
export function SchemaForm(props: SchemaFormProps) {
  const { fields, type = '', stored, submitLabel, onSubmit, onCancel, isBusy = false, children } = props;
  const form = useRef<HTMLFormElement>(null);
  const drafts = useDrafts(type, () => initialValues(fields, stored ?? props.filled));
  const { values, problems, touched, setValues, setProblems } = drafts;
  const asked = useRef(0);
  const [isSending, oneAtATime] = useOneAtATime();
  const [answered, setAnswered] = useState<Answered>({ error: null, type });
  const [sentType, setSentType] = useState(type);
  const given = props.error ?? null;
  const isNews = given !== answered.error;
  // It is about the type that was sent, whichever one is looked at when it comes.
  const error = type === (isNews ? sentType : answered.type) ? given : null;
  // What is wrong with a field that nobody sees is said about the whole form.
  const shown = fields.filter((field) => isShown(field, values));
  const fromServer = problemsByField(shown, error instanceof ApiError ? error.problems : []);

  // The server's answer is taken over once; what is typed after it replaces it.
  if (isNews && (given === null || type === sentType)) {
    setAnswered({ error: given, type });
    setProblems((now) => ({ ...now, ...fromServer.byField }));
  }
  const hasAnswer = answered.error !== null;
  useEffect(() => {
    if (hasAnswer) focusFirstProblem(form.current);
  }, [hasAnswer]);

  const sent = () =>
    stored === undefined ? changedValues(fields, values) : allValues(fields, values, stored);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another value is news
  useEffect(() => props.onValues?.(sent()), [values]);
  /** What the server finds. Undefined when it cannot be asked: it says so when the form is sent. */
  const ask = async (): Promise<Record<string, string> | undefined> => {
    const found = await props.validate?.(sent()).catch(() => undefined);
    return found && problemsByField(shown, found).byField;
  };

  const change = (name: string, value: unknown) => {
    touched.add(name);
    asked.current += 1;
    setValues({ ...values, [name]: value });
    setProblems((now) => without(now, name));
  };
  const check = (field: FormField) => {
    const problem = problemOf(field, values[field.name]);
    // What stands there already stays until something is typed: looking at it mends nothing.
    if (problem !== undefined) setProblems((now) => ({ ...now, [field.name]: problem }));
    if (problem !== undefined || props.validate === undefined) return;
    asked.current += 1;
    const mine = asked.current;
    void ask().then((found) => {
      if (found === undefined || mine !== asked.current) return;
      const lasting = { ...problemsOf(fields, values), ...fromServer.byField };
      setProblems((now) => problemsAfterAsking(now, { found, lasting, touched }));
    });
  };
  const sendChecked = async (store: Store) => {
    props.onTry?.();
    asked.current += 1;
    const local = problemsOf(fields, values);
    const found = Object.keys(local).length > 0 ? local : ((await ask()) ?? {});
    setProblems(() => found);
    // Controls that have something to say of their own, such as two rows with the same name, say it as the browser does.
    const isComplete = props.isIncomplete !== true && form.current?.checkValidity() !== false;
    if (Object.keys(found).length === 0 && isComplete) {
      setSentType(type);
      await store(sent());
    } else requestAnimationFrame(() => focusFirstProblem(form.current));
  };
  // Pressed again while the server is asked what is wrong, it would be stored twice.
  const send = (store: Store) => oneAtATime(() => sendChecked(store));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(onSubmit);
  };
  const conflict = isConflict(error) ? props.conflict : undefined;

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      {children}
      {props.leave !== undefined && (
        <LeaveQuestion
          what={props.leave.what}
          isUnsaved={!(props.leave.isSaved || isBusy) && (props.leave.isChanged || drafts.isChanged)}
        />
      )}
      <FieldGroups
        {...{ type, fields, values, problems, change, check }}
        sentence={props.sentence}
        isChange={stored !== undefined}
      />
      {props.below}
      {conflict !== undefined && <Conflict {...conflict} onOverwrite={() => send(conflict.onOverwrite)} />}
      {error !== null && conflict === undefined && Object.keys(fromServer.byField).length === 0 && (
        <ErrorNotice error={error} />
      )}
      <div className={classes.buttons}>
        <Disabled reason={props.noSubmitReason}>
          <Button
            type="submit"
            variant="filled"
            loading={isBusy || isSending}
            autoFocus={props.isAgain ?? false}
          >
            {submitLabel}
          </Button>
        </Disabled>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}

interface FieldGroupsProps {
  readonly type: string;
  readonly fields: readonly FormField[];
  readonly values: FormValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly change: (name: string, value: unknown) => void;
  readonly check: (field: FormField) => void;
  readonly sentence: SentenceProps | undefined;
  readonly isChange: boolean;
}

function FieldGroups(props: FieldGroupsProps) {
  const { type, fields, values, problems, change, check, sentence, isChange } = props;
  const isSaid = ({ name }: FormField) =>
    sentence?.parts.some((part) => 'field' in part && part.field === name) ?? false;
  const groups = Map.groupBy(
    fields.filter((field) => isShown(field, values) && !isSaid(field)),
    ({ group }) => group,
  );
  const leave = (field: FormField, event: FocusEvent) => leadsToButton(event) || check(field);
  const render = (field: FormField) => (
    <SchemaField
      // Fields of two types may have the same name.
      key={`${type} ${field.name}`}
      field={field}
      value={values[field.name]}
      problems={problemsWithin(problems, field.name)}
      isStored={isChange}
      onChange={(value) => change(field.name, value)}
      onBlur={(event) => leave(field, event)}
    />
  );
  const folded = [...groups]
    .flatMap(([name, members]) => (name === undefined ? [] : [{ name, members }]))
    // What few people need stands last, wherever its fields are among the others.
    .sort((a, b) => Number(a.name === MORE) - Number(b.name === MORE));
  return (
    <>
      {sentence !== undefined && (
        <>
          <SentenceFields {...{ fields, values, problems, change }} parts={sentence.parts} check={leave} />
          {sentence.below}
        </>
      )}
      {groups.get(undefined)?.map(render)}
      {folded.map(({ name, members }) => {
        const hasProblem = members.some(({ name: member }) =>
          Object.keys(problems).some((path) => isOfField(path, member)),
        );
        return (
          <FoldedGroup key={name} {...{ name, hasProblem }}>
            {members.map(render)}
          </FoldedGroup>
        );
      })}
    </>
  );
}

interface FoldedGroupProps {
  readonly name: string;
  readonly hasProblem: boolean;
  readonly children: ReactNode;
}

/** A problem opens it. It does not close by itself when the problem is gone: somebody is typing in it. */
function FoldedGroup({ name, hasProblem, children }: FoldedGroupProps) {
  const group = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (hasProblem && group.current !== null) group.current.open = true;
  }, [hasProblem]);
  return (
    <details ref={group} className={classes.group}>
      <summary>{name}</summary>
      <div className={classes.members}>{children}</div>
    </details>
  );
}

function without(problems: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(problems).filter(([path]) => !isOfField(path, name)));
}

/** A line that appears under a field would push the button away between press and release; it checks by itself. */
function leadsToButton({ relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof HTMLButtonElement;
}
