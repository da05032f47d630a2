export { KubeconfigError, parseKubeconfig, type ClusterAccess } from './kubeconfig.ts';
