function c(e){return null}export{c as LatencyCharts};
