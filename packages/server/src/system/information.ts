import os from 'node:os';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';
import type { Locales, MemoryAmount, RuntimeMemory, SystemOverview } from '@millrace/contract';
import type { NodeRegistry, NodeStatus } from '#cluster/service.ts';

/** What this node reports about itself. */
export interface SystemInformation {
  overview(): SystemOverview;
  runtimeMemory(): RuntimeMemory;
  /** What the process is doing right now, for troubleshooting. Takes a few milliseconds. */
  threadDump(): string;
  locales(): Locales;
}

export interface SystemInformationSettings {
  /** `x.y.z+build` */
  readonly version: string;
  readonly codename: string;
}

const FACILITY = 'millrace-server';
const MEBIBYTE = 2 ** 20;

export function createSystemInformation(
  deps: { readonly status: NodeStatus; readonly registry: NodeRegistry },
  settings: SystemInformationSettings,
): SystemInformation {
  const { status, registry } = deps;
  const constantFields = {
    facility: FACILITY,
    codename: settings.codename,
    node_id: registry.nodeId,
    version: settings.version,
    started_at: new Date(status.view().startedAt).toISOString(),
    hostname: os.hostname(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    operating_system: `${os.type()} ${os.release()}`,
  };
  let locales: Locales | undefined;

  return {
    overview() {
      const { lifecycle, loadBalancerStatus, isProcessing } = status.view();
      return {
        ...constantFields,
        cluster_id: registry.clusterId(),
        lifecycle,
        lb_status: loadBalancerStatus,
        is_processing: isProcessing,
        is_leader: registry.isLeader(),
      };
    },
    runtimeMemory() {
      const heap = getHeapStatistics();
      return {
        free_memory: memoryAmount(heap.total_heap_size - heap.used_heap_size),
        max_memory: memoryAmount(heap.heap_size_limit),
        total_memory: memoryAmount(heap.total_heap_size),
        used_memory: memoryAmount(heap.used_heap_size),
        node_id: registry.nodeId,
        pid: String(process.pid),
        info: `Node.js ${process.version} (V8 ${process.versions.v8}) on ${os.type()} ${os.release()} ${os.arch()}`,
      };
    },
    threadDump,
    locales() {
      locales ??= readLocales();
      return locales;
    },
  };
}

function memoryAmount(bytes: number): MemoryAmount {
  return {
    bytes,
    kilobytes: Math.floor(bytes / 1024),
    megabytes: Math.floor(bytes / MEBIBYTE),
  };
}

/** The other sections are left out: the environment and the command line may contain passwords. */
const REPORT_SECTIONS = [
  'javascriptStack',
  'javascriptHeap',
  'nativeStack',
  'resourceUsage',
  'uvthreadResourceUsage',
  'libuv',
  'userLimits',
] as const;
const REPORT_HEADER = [
  'dumpEventTime',
  'processId',
  'threadId',
  'nodejsVersion',
  'arch',
  'platform',
  'osName',
  'osRelease',
  'osMachine',
  'host',
] as const;

type Report = Readonly<Record<string, unknown>>;

function threadDump(): string {
  // Without this, the report blocks the process while it looks up every open connection in DNS, one by one.
  // (The type definitions do not have this property yet.)
  Object.assign(process.report, { excludeNetwork: true });
  return JSON.stringify(reportWithoutSecrets(process.report.getReport() as Report), null, 2);
}

function reportWithoutSecrets(report: Report): Report {
  const header = (report.header ?? {}) as Report;
  const workers = Array.isArray(report.workers) ? (report.workers as Report[]) : [];
  return {
    header: Object.fromEntries(REPORT_HEADER.map((name) => [name, header[name]])),
    ...Object.fromEntries(REPORT_SECTIONS.map((name) => [name, report[name]])),
    workers: workers.map(reportWithoutSecrets),
  };
}

/** A selection of common languages. The runtime supports more but cannot list them. */
const LANGUAGE_TAGS = `ar bg bn ca cs da de de-AT de-CH el en en-AU en-CA en-GB en-IE en-IN en-US es es-AR es-ES
  es-MX et eu fa fi fr fr-BE fr-CA fr-CH fr-FR gl he hi hr hu id is it it-CH it-IT ja ja-JP kk ko ko-KR lt lv mk ms
  nb nl nl-BE nl-NL nn pl pt pt-BR pt-PT ro ru ru-RU sk sl sq sr sv sv-SE ta th tr uk ur uz vi zh zh-CN zh-HK zh-TW`;

function readLocales(): Locales {
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  const tags = Intl.DateTimeFormat.supportedLocalesOf(LANGUAGE_TAGS.split(/\s+/));
  return {
    locales: Object.fromEntries(
      tags.map((tag) => [tag, { language_tag: tag, display_name: names.of(tag) ?? tag }]),
    ),
  };
}
