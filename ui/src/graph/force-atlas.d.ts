/** One step of ForceAtlas2 over flat matrices (graphology-layout-forceatlas2); the package types only its outer functions. */
declare module 'graphology-layout-forceatlas2/iterate' {
  interface Settings {
    readonly linLogMode: boolean
    readonly outboundAttractionDistribution: boolean
    readonly adjustSizes: boolean
    readonly edgeWeightInfluence: number
    readonly scalingRatio: number
    readonly strongGravityMode: boolean
    readonly gravity: number
    readonly slowDown: number
    readonly barnesHutOptimize: boolean
    readonly barnesHutTheta: number
  }
  export default function iterate(settings: Settings, nodes: Float32Array, edges: Float32Array): unknown
}
