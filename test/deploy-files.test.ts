import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { version } from '../src/version.ts';
import { renderChart } from './helm-chart.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const chart = join(root, 'deploy', 'helm', 'signalpost');
/** It names every setting. */
const settings = read('src/config.ts');

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

interface Service {
  readonly image?: string;
  readonly build?: unknown;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

describe('files for deployment', () => {
  it('files for deployment are valid, unambiguous YAML', () => {
    const files = globSync('{*.yaml,deploy/**/*.yaml}', { cwd: root }).filter((file) => !file.includes('templates'));
    assert.ok(files.length >= 5, files.join());
    for (const file of files) {
      for (const { errors, warnings } of parseAllDocuments(read(file), { merge: true })) {
        assert.deepEqual([...errors, ...warnings], [], file);
      }
    }
  });

  for (const file of ['compose.yaml', 'deploy/three-instances/compose.yaml']) {
    it(`${file} names only existing services, volumes and settings, and images with a version`, () => {
      const { services, volumes = {} } = parse(read(file), { merge: true }) as Compose;
      for (const [name, service] of Object.entries(services)) {
        assert.ok(service.build !== undefined || /:\d/.test(service.image ?? ''), `${name}: ${service.image}`);
        const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
        for (const other of needed) assert.ok(other in services, `${name} needs ${other}`);
        for (const volume of service.volumes ?? []) {
          const [source = ''] = volume.split(':');
          assert.ok(source.startsWith('.') || source in volumes, `${name}: ${volume}`);
        }
        if (service.build === undefined) continue;
        for (const variable of Object.keys(service.environment ?? {})) {
          assert.ok(settings.includes(variable), `${name}: unknown setting ${variable}`);
        }
      }
    });
  }

  it('the Dockerfile runs as an unprivileged user, uses versioned images, and has a health check', () => {
    const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
    const of = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `));
    for (const line of of('FROM')) assert.match(line, /^FROM [\w./-]+:\d[\w.-]*( AS \w+)?$/);
    for (const line of [...of('CMD'), ...of('ENTRYPOINT')]) assert.ok(JSON.parse(line.replace(/^\w+ /, '')), line);
    for (const line of of('WORKDIR')) assert.match(line, /^WORKDIR \//);
    for (const line of of('RUN')) assert.doesNotMatch(line, /\b(sudo|apt(-get)? upgrade|curl|wget)\b/);
    assert.deepEqual([of('ADD'), of('MAINTAINER')], [[], []]);
    assert.equal(of('HEALTHCHECK').length, 1);
    assert.match(of('USER').at(-1) ?? '', /^USER (?!root|0\b)/);
  });
});

describe('the Helm chart', () => {
  const manifests = (change?: Parameters<typeof renderChart>[1]): Manifest[] =>
    renderChart(chart, change)
      .flatMap((text) => parseAllDocuments(text))
      .map((document) => {
        assert.deepEqual([...document.errors, ...document.warnings], []);
        return document.toJS() as Manifest | null;
      })
      .filter((manifest) => manifest !== null);
  const found = (kind: string, all = manifests()): Manifest => {
    const manifest = all.find((each) => each.kind === kind);
    assert.ok(manifest, kind);
    return manifest;
  };

  it('the Helm chart renders manifests of kinds and versions that Kubernetes knows, each with a name', () => {
    const kinds = manifests().map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    assert.deepEqual(kinds.sort(), [
      'apps/v1 Deployment',
      'autoscaling/v2 HorizontalPodAutoscaler',
      'policy/v1 PodDisruptionBudget',
      'v1 Service',
    ]);
    for (const { kind, metadata, spec } of manifests()) assert.ok(metadata.name && spec, kind);
  });

  it('the Helm chart selects its own pods, and the autoscaler and the service find them', () => {
    const { metadata, spec } = found('Deployment') as unknown as {
      metadata: { name: string };
      spec: {
        selector: { matchLabels: object };
        template: { metadata: { labels: object }; spec: { containers: { ports: { name: string }[] }[] } };
      };
    };
    assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    const autoscaler = found('HorizontalPodAutoscaler').spec as { scaleTargetRef: { kind: string; name: string } };
    assert.deepEqual([autoscaler.scaleTargetRef.kind, autoscaler.scaleTargetRef.name], ['Deployment', metadata.name]);
    const service = found('Service').spec as { selector: object; ports: { targetPort: string }[] };
    assert.deepEqual(service.selector, spec.selector.matchLabels);
    const budget = found('PodDisruptionBudget').spec as { selector: { matchLabels: object } };
    assert.deepEqual(budget.selector.matchLabels, spec.selector.matchLabels);
    const ports = spec.template.spec.containers.flatMap((container) => container.ports.map(({ name }) => name));
    for (const { targetPort } of service.ports) assert.ok(ports.includes(targetPort), targetPort);
  });

  it('the Helm chart uses existing probe paths and settings, and gives the process no privileges', () => {
    const { spec } = found('Deployment') as unknown as {
      spec: { template: { spec: { securityContext: object; containers: readonly Record<string, unknown>[] } } };
    };
    const [container = {}] = spec.template.spec.containers;
    const pathOf = (probe: string) => (container[probe] as { httpGet: { path: string } }).httpGet.path;
    assert.deepEqual([pathOf('livenessProbe'), pathOf('readinessProbe')], ['/healthz', '/readyz']);
    const security = container.securityContext as Record<string, unknown>;
    assert.deepEqual([security.allowPrivilegeEscalation, security.readOnlyRootFilesystem], [false, true]);
    assert.equal((spec.template.spec.securityContext as { runAsNonRoot: boolean }).runAsNonRoot, true);
    for (const { name } of container.env as { name: string }[]) assert.ok(settings.includes(name), name);
    assert.ok(container.resources);
  });

  it('the Helm chart adds ingress, service monitor, settings from the secret and a claim when they are set', () => {
    const all = manifests((values) => ({
      ...values,
      ingress: { enabled: true, className: 'nginx', host: 'signals.test', tlsSecret: 'tls', annotations: { a: 'b' } },
      serviceMonitor: { enabled: true, interval: '10s', labels: { release: 'prometheus' } },
      secretEnv: { DECISION_LOG_SECRET: 'log-secret' },
      persistence: { existingClaim: 'lists' },
    }));
    const ingress = found('Ingress', all).spec as { rules: { host: string }[]; tls: { hosts: string[] }[] };
    assert.deepEqual([ingress.rules[0]?.host, ingress.tls[0]?.hosts], ['signals.test', ['signals.test']]);
    const monitor = found('ServiceMonitor', all).spec as { endpoints: { port: string; authorization: object }[] };
    const credentials = { name: 'signalpost', key: 'metrics-token' };
    assert.deepEqual([monitor.endpoints[0]?.port, monitor.endpoints[0]?.authorization], ['http', { credentials }]);
    const { spec } = found('Deployment', all).spec.template as {
      spec: { volumes: object[]; containers: { env: { name: string; valueFrom?: object }[] }[] };
    };
    assert.deepEqual(spec.volumes[0], { name: 'data', persistentVolumeClaim: { claimName: 'lists' } });
    const secret = spec.containers[0]?.env.find(({ name }) => name === 'DECISION_LOG_SECRET');
    assert.deepEqual(secret?.valueFrom, { secretKeyRef: { name: 'signalpost', key: 'log-secret' } });
  });

  it('the Helm chart places pods, pulls images and mounts volumes as the values say', () => {
    const placed = {
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'signals', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    };
    const all = manifests((values) => ({
      ...values,
      ...placed,
      serviceAccount: { name: 'signals' },
      podAnnotations: { team: 'abuse' },
      disruptionBudget: { enabled: false },
      env: { DRAIN_MS: '30000' },
      extraVolumes: [{ name: 'plans', configMap: { name: 'plans' } }],
      extraVolumeMounts: [{ name: 'plans', mountPath: '/plans' }],
    }));
    const { metadata, spec } = found('Deployment', all).spec.template as {
      metadata: { annotations: object };
      spec: Record<string, unknown> & { containers: { image: string; volumeMounts: object[] }[]; volumes: object[] };
    };
    for (const [name, value] of Object.entries(placed)) assert.deepEqual(spec[name], value, name);
    assert.deepEqual([spec.serviceAccountName, spec.terminationGracePeriodSeconds], ['signals', 45]);
    assert.deepEqual(metadata.annotations, { team: 'abuse' });
    assert.deepEqual(spec.containers[0]?.volumeMounts.at(-1), { name: 'plans', mountPath: '/plans' });
    assert.deepEqual(spec.volumes.at(-1), { name: 'plans', configMap: { name: 'plans' } });
    assert.ok(!all.some(({ kind }) => kind === 'PodDisruptionBudget'));
    assert.match(spec.containers[0]?.image ?? '', new RegExp(`:${version}$`));
  });

  it('the Helm chart lets a pod stop for as long as the service drains by default when the values set nothing', () => {
    for (const env of [null, {}]) {
      const { spec } = found(
        'Deployment',
        manifests((values) => ({ ...values, env })),
      );
      const pod = (spec.template as { spec: { terminationGracePeriodSeconds: number } }).spec;
      assert.equal(pod.terminationGracePeriodSeconds, 16);
    }
  });

  it('the Helm chart sets replicas unless it autoscales, and its disruption budget is below their number', () => {
    const autoscaling = { enabled: false };
    const all = manifests((values) => ({ ...values, autoscaling }));
    assert.equal(found('Deployment', all).spec.replicas, 3);
    assert.ok(!all.some(({ kind }) => kind === 'HorizontalPodAutoscaler'));
    assert.equal('replicas' in found('Deployment').spec, false);
    const { minAvailable } = found('PodDisruptionBudget').spec as { minAvailable: number };
    const { minReplicas } = found('HorizontalPodAutoscaler').spec as { minReplicas: number };
    assert.ok(minAvailable < minReplicas);
  });
});
