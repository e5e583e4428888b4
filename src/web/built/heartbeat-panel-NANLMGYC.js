function r(e){return null}export{r as HeartbeatPanel};
