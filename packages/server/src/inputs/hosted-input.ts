import {
  type Backoff,
  type ComponentRegistry,
  createBackoff,
  createPeriodicJob,
  type DroppedFields,
  errorMessage,
  InvalidConfiguration,
  monotonicClock,
  type PeriodicJob,
} from '#core/index.ts';
import { componentPrefix } from '#telemetry/index.ts';
import { type HostContext, type Input, InputStartError, type InputType, type Listening } from './input.ts';
import { inputMetricsPrefix } from './input-metrics.ts';
import type { InputState, InputStateReport, WantedInput } from './input-state.ts';
import { createLossWatch, droppedFieldCounter } from './loss-watch.ts';
import { INPUT_TYPES } from './registry.ts';

export interface InputHostDeps extends Omit<HostContext, 'inputId' | 'failed'> {
  /** Every change of state, in order. Must not throw. */
  readonly report: (status: InputStateReport) => void;
  /** The types that exist; all of them unless told otherwise. */
  readonly types?: ComponentRegistry<InputType>;
  readonly droppedFields: Pick<DroppedFields, 'take'>;
}

export interface InputHostConfig {
  /** The wait before the first retry after a failure. It doubles each time, up to the maximum. */
  readonly retryDelayMs?: number;
  readonly maxRetryDelayMs?: number;
  /** How often a running input is checked for losses, which its state then shows. */
  readonly lossCheckMs?: number;
}

const DEFAULT_RETRY_DELAY_MS = 1000;
const DEFAULT_MAX_RETRY_DELAY_MS = 30_000;
const DEFAULT_LOSS_CHECK_MS = 10_000;

type Target = WantedInput | 'shut-down' | 'terminated';

/** One input of a worker. It makes what runs follow what is wanted, one step at a time. */
export class HostedInput {
  readonly #deps: InputHostDeps;
  readonly #id: string;
  readonly #retryDelay: Backoff;
  readonly #lossCheckMs: number;
  #target: Target | undefined;
  #applied: Target | undefined;
  #reconciling = false;
  #work: Promise<void> = Promise.resolve();
  #instance: Input | undefined;
  #running: string | undefined;
  #lossChecks: PeriodicJob | undefined;
  #metricPrefixes = new Set<string>();
  #attempts = 0;
  /** Consecutive ones. */
  #lastReason: string | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #report: InputStateReport;
  #droppedField: string | undefined;

  constructor(deps: InputHostDeps, config: InputHostConfig, id: string) {
    this.#deps = deps;
    this.#id = id;
    this.#retryDelay = createBackoff({
      firstMs: config.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS,
      maxMs: config.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS,
    });
    this.#lossCheckMs = config.lossCheckMs ?? DEFAULT_LOSS_CHECK_MS;
    this.#report = reportOf(id, 'CREATED');
    deps.report(this.#report);
  }

  get report(): InputStateReport {
    return this.#report;
  }

  want(wanted: WantedInput): Promise<void> {
    return this.#setTarget(wanted);
  }

  /** Stops it for good and forgets its metrics. */
  terminate(): Promise<void> {
    return this.#setTarget('terminated');
  }

  shutDown(): Promise<void> {
    return this.#setTarget('shut-down');
  }

  /** Resolves when this target, or a newer one, is reached. */
  #setTarget(target: Target): Promise<void> {
    this.#target = target;
    if (!this.#reconciling) {
      this.#reconciling = true;
      this.#work = this.#reconcile();
    }
    return this.#work;
  }

  async #reconcile(): Promise<void> {
    while (this.#target !== undefined && this.#target !== this.#applied) {
      const target = this.#target;
      await this.#apply(target);
      this.#applied = target;
    }
    // Nothing is awaited since the check above, so no target can come in between.
    this.#reconciling = false;
  }

  async #apply(target: Target): Promise<void> {
    const description = typeof target === 'object' && target.started ? describe(target) : undefined;
    if (description !== undefined && description === this.#running) return;
    clearTimeout(this.#retryTimer);
    if (typeof target === 'object' && description !== this.#running) this.#retryDelay.reset();
    await this.#stopInstance();
    if (typeof target === 'object' && target.started) await this.#start(target);
    else if (target === 'terminated') this.#terminated();
    else this.#enter('STOPPED');
  }

  async #start(wanted: WantedInput): Promise<void> {
    const inputTypes = this.#deps.types ?? INPUT_TYPES;
    const type = inputTypes.find(wanted.type);
    if (type === undefined) {
      const known = inputTypes.types.map(({ wireType }) => wireType).join(', ');
      this.#enter('INVALID_CONFIGURATION', `there is no input type ${wanted.type}; there are ${known}`);
      return;
    }
    this.#rememberMetrics(type);
    try {
      await this.#startInstance(type, wanted);
    } catch (error) {
      // Anything but a start error is a bug. The input is started again all the same.
      if (!(error instanceof InputStartError)) this.#deps.logger.error({ err: error }, this.#line('failed'));
      this.#instance = undefined;
      this.#failed(errorMessage(error));
    }
  }

  async #startInstance(type: InputType, wanted: WantedInput): Promise<void> {
    const created = type.create(this.#newContext(), wanted.configuration);
    if (created instanceof InvalidConfiguration) {
      this.#enter('INVALID_CONFIGURATION', created.text);
      return;
    }
    this.#enter('INITIALIZED');
    this.#instance = created;
    this.#enter('STARTING');
    const listening = await created.start();
    this.#retryDelay.reset();
    this.#lastReason = undefined;
    this.#running = describe(wanted);
    this.#enter('RUNNING', listening.notice, listening);
    this.#watchLosses(type, listening);
    this.#deps.logger.debug(
      this.#line(`${type.name} listens on ${listening.address} port ${listening.port}`),
    );
  }

  #watchLosses(type: InputType, listening: Listening): void {
    const prefix = componentPrefix({ kind: 'input', type: type.id, id: this.#id });
    const { metrics, droppedFields } = this.#deps;
    const losses = createLossWatch(metrics, prefix);
    const droppedCounter = droppedFieldCounter(metrics, prefix);
    const attempt = this.#attempts;
    const check = () => {
      if (this.#running === undefined || attempt !== this.#attempts) return;
      const dropped = droppedFields.take(this.#id);
      droppedCounter.increment(dropped?.count ?? 0);
      this.#droppedField = dropped?.example ?? this.#droppedField;
      const { text, reasons } = losses.check(monotonicClock.now());
      const texts = [listening.notice, text].filter((each) => each !== undefined);
      const detailedMessage = texts.length === 0 ? undefined : texts.join('; ');
      const { report } = this;
      if (detailedMessage === report.detailedMessage && this.#droppedField === report.droppedField) return;
      this.#report = { ...report, detailedMessage, losing: reasons, droppedField: this.#droppedField };
      this.#deps.report(this.#report);
    };
    this.#lossChecks = createPeriodicJob(
      { run: check, logger: this.#deps.logger },
      { name: 'checking an input for losses', intervalMs: this.#lossCheckMs },
    );
    this.#lossChecks.start();
  }

  #newContext(): HostContext {
    const { journal, metrics, clock, shared, udpReceiveBufferBytes, selfSignedCertificate } = this.#deps;
    this.#attempts += 1;
    const attempt = this.#attempts;
    return {
      inputId: this.#id,
      journal,
      metrics,
      clock,
      shared,
      udpReceiveBufferBytes,
      selfSignedCertificate,
      logger: this.#deps.logger.child({ input: this.#id }),
      failed: (reason) => {
        // An instance that was replaced may still report; that says nothing about the current one.
        if (attempt === this.#attempts) void this.#instanceFailed(reason);
      },
    };
  }

  async #instanceFailed(reason: string): Promise<void> {
    if (this.#running === undefined) return;
    this.#running = undefined;
    void this.#lossChecks?.stop();
    const instance = this.#instance;
    this.#instance = undefined;
    await this.#end(instance);
    if (this.#target === this.#applied) this.#failed(reason);
  }

  /** One that does not stop properly is still followed by the next one. */
  async #end(instance: Input | undefined): Promise<void> {
    try {
      await instance?.stop();
    } catch (error) {
      this.#deps.logger.error({ err: error }, this.#line('did not stop properly'));
    }
  }

  #failed(reason: string): void {
    const delayMs = this.#retryDelay.next();
    this.#enter('FAILED', `${reason}; next attempt in ${Math.ceil(delayMs / 1000)} s`);
    if (reason !== this.#lastReason) this.#deps.logger.warn(this.#line(reason));
    this.#lastReason = reason;
    this.#retryTimer = setTimeout(() => {
      this.#applied = undefined;
      if (this.#target !== undefined) void this.#setTarget(this.#target);
    }, delayMs);
    this.#retryTimer.unref();
  }

  async #stopInstance(): Promise<void> {
    const instance = this.#instance;
    if (instance === undefined) return;
    this.#enter('STOPPING');
    this.#instance = undefined;
    this.#running = undefined;
    void this.#lossChecks?.stop();
    await this.#end(instance);
  }

  #rememberMetrics(type: InputType): void {
    this.#metricPrefixes.add(componentPrefix({ kind: 'input', type: type.id, id: this.#id }));
    this.#metricPrefixes.add(inputMetricsPrefix({ wireType: type.wireType, inputId: this.#id }));
  }

  #terminated(): void {
    for (const prefix of this.#metricPrefixes) this.#deps.metrics.remove(prefix);
    this.#enter('TERMINATED');
  }

  #enter(state: InputState, detailedMessage?: string, listening?: Listening): void {
    const startedAt = state === 'RUNNING' ? this.#deps.clock.now() : undefined;
    this.#report = {
      ...reportOf(this.#id, state, detailedMessage, startedAt, listening),
      droppedField: this.#droppedField,
    };
    this.#deps.report(this.#report);
  }

  #line(text: string): string {
    return `input ${this.#id}: ${text}`;
  }
}

/** Equal descriptions need no restart. */
function describe({ type, configuration }: WantedInput): string {
  return JSON.stringify([type, configuration]);
}

function reportOf(
  id: string,
  state: InputState,
  detailedMessage?: string,
  startedAt?: number,
  listening?: Listening,
): InputStateReport {
  const { address, port } = listening ?? {};
  const nothingLost = { losing: [], droppedField: undefined };
  return { id, state, detailedMessage, startedAt, address, port, ...nothingLost };
}
