/** Evaluates conditions at once: nothing is stored, nobody is told, and the grace period does not matter. */
import { type Clock, errorMessage, InvalidError, UnavailableError } from '#core/index.ts';
import type { Figures } from '#search/service.ts';
import type { Finding } from '../conditions/condition.ts';
import type { Rule } from '../rules/rule.ts';
import { ALERTS_PRINCIPAL } from './system-principal.ts';

export interface Probe {
  readonly isTriggered: boolean;
  /** What was found: of the first key that triggers, or of all messages. */
  readonly description: string;
  readonly findings: readonly Finding[];
}

export interface FailedProbe {
  readonly error: string;
  /** Something else than the rule is to blame; it may work later. */
  readonly isTemporary: boolean;
}

/** The parts of a rule that matter here, also of one that is not stored. */
export type ProbedRule = Pick<Rule, 'condition' | 'messages' | 'schedule'>;

export interface Probes {
  /** The windows of all rules end now. Never rejects. */
  run(rules: readonly ProbedRule[]): Promise<(Probe | FailedProbe)[]>;
}

export function createProbes({
  figures,
  clock,
}: {
  readonly figures: Figures;
  readonly clock: Clock;
}): Probes {
  async function probeTogether(rules: readonly ProbedRule[], now: number): Promise<Probe[]> {
    const [first] = rules;
    if (first === undefined) return [];
    const windows = rules.map(({ schedule }) => ({
      end: now + 1,
      previousEnd: now + 1 - schedule.intervalMs,
    }));
    const answers = await figures.measure(
      { principal: ALERTS_PRINCIPAL },
      first.messages,
      rules.map(({ condition }, at) => condition.measurement(windowAt(windows, at))),
    );
    return rules.map(({ condition }, at) => {
      const measured = answers[at] ?? { rows: [], isTruncated: false };
      return probeOf(condition.judge(measured, windowAt(windows, at)));
    });
  }

  async function probe(rules: readonly ProbedRule[], now: number): Promise<(Probe | FailedProbe)[]> {
    try {
      return await probeTogether(rules, now);
    } catch (error) {
      if (rules.length === 1) return [failureOf(error)];
      const each: (Probe | FailedProbe)[] = [];
      for (const rule of rules) each.push(...(await probe([rule], now)));
      return each;
    }
  }

  return {
    async run(rules) {
      const now = clock.now();
      const results = new Map<ProbedRule, Probe | FailedProbe>();
      const groups = Map.groupBy(rules, ({ messages }) => JSON.stringify(messages));
      for (const group of groups.values()) {
        const answers = await probe(group, now);
        for (const [at, rule] of group.entries()) results.set(rule, answers[at] ?? NOTHING);
      }
      return rules.map((rule) => results.get(rule) ?? NOTHING);
    },
  };
}

const NOTHING: Probe = { isTriggered: false, description: '', findings: [] };

function windowAt<Window>(windows: readonly Window[], at: number): Window {
  const window = windows[at];
  if (window === undefined) throw new Error('every rule has a window');
  return window;
}

function probeOf(findings: readonly Finding[]): Probe {
  const triggered = findings.filter(({ isTriggered }) => isTriggered);
  const shown = triggered[0] ?? findings[0];
  const more = triggered.length > 1 ? ` ${triggered.length - 1} more triggered.` : '';
  return {
    isTriggered: triggered.length > 0,
    description: shown === undefined ? 'Nothing was found.' : `${shown.description}${more}`,
    findings,
  };
}

function failureOf(error: unknown): FailedProbe {
  return {
    error: errorMessage(error),
    isTemporary: error instanceof UnavailableError || !(error instanceof InvalidError),
  };
}
